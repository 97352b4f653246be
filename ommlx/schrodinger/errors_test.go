package schrodinger_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// halfSpace has a density that is zero at negative x₀ but samples there too.
type halfSpace struct{ schrodinger.Gaussian }

func (h halfSpace) LogDensity(x jet.Jet) jet.Jet {
	first := x.Column(0)
	return jet.Chain(first, Log(first.Value), Inverse(first.Value), Neg(Square(Inverse(first.Value))))
}

// TestSamples: they come with the potential there, and what is not finite or has a wrong shape is an error.
func TestSamples(t *testing.T) {
	gauss, squares := schrodinger.Gaussian{Dim: 2, Sigma: 1}, func(x *Node) *Node {
		return ReduceAndKeep(Square(x), ReduceSum, -1)
	}
	s := testkit.Must(schrodinger.Samples(testkit.PureGo(t), gauss, squares, 64))
	for i := range 64 {
		assert.InEpsilon(t, math.Pow(mat.Norm(s.Points.RowView(i), 2), 2), s.Potential.At(i, 0), 1e-5)
	}
	for word, c := range map[string]struct {
		sampler   schrodinger.Sampler
		potential func(x *Node) *Node
	}{
		// Outside of the disc |x| < 2 lies one sample in seven.
		"potential is NaN":   {gauss, func(x *Node) *Node { return Sqrt(AddScalar(Neg(squares(x)), 4)) }},
		"potential is +Inf":  {gauss, func(x *Node) *Node { return Inverse(Sub(squares(x), squares(x))) }},
		"potential returned": {gauss, func(x *Node) *Node { return ReduceSum(squares(x), -1) }},
		"log-density":        {halfSpace{gauss}, squares},
		"deviation":          {schrodinger.Gaussian{Dim: 2, Sigma: -1}, squares},
	} {
		_, err := schrodinger.Samples(testkit.PureGo(t), c.sampler, c.potential, 64)
		assert.ErrorContains(t, err, word)
	}
}

// The error names the only sample, the greatest, at which the potential is NaN.
func TestSamplesFindsOneBadSample(t *testing.T) {
	_, err := schrodinger.Samples(testkit.PureGo(t), schrodinger.Gaussian{Dim: 1, Sigma: 1}, func(x *Node) *Node {
		greatest := Equal(x, BroadcastToShape(ReduceAndKeep(x, ReduceMax, -2), x.Shape()))
		return Where(greatest, AddScalar(ZerosLike(x), math.NaN()), x)
	}, 50)
	require.ErrorContains(t, err, "the potential is NaN at sample ")
	var at float64
	_ = testkit.Must(fmt.Sscanf(err.Error()[strings.Index(err.Error(), "x = ("):], "x = (%g)", &at))
	assert.Greater(t, at, 1.5, "the greatest of 50 samples")
}
