package schrodinger_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/schrodinger"
)

// evaluate runs a graph function in float64 on the pure-Go engine. XLA would spend most of its time on compiling these
// graphs of many operations on few points.
func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...*tensors.Tensor) []*tensors.Tensor {
	t.Helper()
	return testkit.Run(t, testkit.Compile(t, testkit.PureGo(t), fn), in)
}

var must = testkit.Must[schrodinger.System]

// known is a system with its test settings.
type known struct {
	schrodinger.System
	k     int     // states to test
	reach float64 // half-width of the region that the states fill
}

var everySystem = []known{
	{schrodinger.Hydrogen(), 36, 40},
	{must(schrodinger.Oscillator(1)), 20, 6},
	{must(schrodinger.Oscillator(2)), 28, 4},
	{must(schrodinger.Oscillator(3)), 20, 3},
	{must(schrodinger.Well(1, 0.7)), 10, 0.7},
	{must(schrodinger.Well(2, schrodinger.WellHalfWidth)), 45, schrodinger.WellHalfWidth},
	{must(schrodinger.Well(3, 2)), 17, 2},
}

func tensorOf(m *mat.Dense) *tensors.Tensor {
	rows, cols := m.Dims()
	return tensors.FromFlatDataAndDimensions(append([]float64(nil), m.RawMatrix().Data...), rows, cols)
}
