package schrodinger_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// second returns the error of a function with two results.
func second[T any](_ T, err error) error { return err }

func TestErrorsNameTheInput(t *testing.T) {
	atom := schrodinger.Hydrogen()
	line := net.Box{Lower: []float64{-1}, Upper: []float64{1}}
	saddle := schrodinger.System{Name: "saddle", Dim: 2,
		Potential: func(x *Node) *Node { return ReduceAndKeep(x, ReduceMultiply, -1) }}
	pole := schrodinger.System{Dim: 1, PotentialAt: func(x []float64) float64 { return -1 / math.Abs(x[0]) }}
	all := map[string][]error{
		"dimension": {second(schrodinger.Oscillator(0)), second(schrodinger.Well(-1, 5)),
			schrodinger.Gaussian{Sigma: 1}.Validate(), schrodinger.Uniform{HalfWidth: 1}.Validate(),
			second(testkit.Must(atom.Lowest(4)).OnPoints(mat.NewDense(2, 3, nil))),
			second(saddle.Differences(nil, line, 3, 1))},
		"states":    {second(atom.Lowest(0)), second(atom.Lowest(401))},
		"bounds":    {schrodinger.Lattice{}.Validate()},
		"x = (0)":   {second(pole.Differences(nil, line, 3, 1))},
		"closed":    {second(saddle.Lowest(3)), second(schrodinger.System{}.Lowest(1))},
		"potential": {second(schrodinger.System{Dim: 1}.Differences(nil, line, 3, 1))},
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		all["half-width"] = append(all["half-width"], second(schrodinger.Well(2, bad)),
			schrodinger.Uniform{Dim: 2, HalfWidth: bad}.Validate())
		all["deviation"] = append(all["deviation"], schrodinger.Gaussian{Dim: 2, Sigma: bad}.Validate())
	}
	for word, errs := range all {
		for i, err := range errs {
			assert.ErrorContains(t, err, word, "%s, case %d", word, i)
		}
	}
}

func TestWrongInputPanics(t *testing.T) {
	for _, s := range []schrodinger.Sampler{schrodinger.Gaussian{Dim: 3, Sigma: 1},
		schrodinger.Uniform{Dim: 3, HalfWidth: 1}} {
		exec := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			return []*Node{s.LogDensity(jet.Inputs(in[0])).Value}
		})
		_, err := exec.Try([][]float64{{1, 2}})
		assert.ErrorContains(t, err, "dimension")
	}
	assert.Panics(t, func() { schrodinger.Lattice{Box: net.Box{Lower: []float64{0}, Upper: []float64{1}}}.Points(0) })
}
