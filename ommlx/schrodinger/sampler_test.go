package schrodinger_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

var _ schrodinger.Random = (*train.Random)(nil)

// generator is the Random of one run.
type generator struct{ state *Node }

func (g *generator) Normal(dtype dtypes.DType, dims ...int) (x *Node) {
	g.state, x = RandomNormal(g.state, shapes.Make(dtype, dims...))
	return ExpandDims(x, 0)
}

func (g *generator) Uniform(dtype dtypes.DType, dims ...int) (x *Node) {
	g.state, x = RandomUniform(g.state, shapes.Make(dtype, dims...))
	return ExpandDims(x, 0)
}

// samplers are tested with a box that contains all but 1e-15 of their mass.
var samplers = []struct {
	schrodinger.Sampler
	dim   int
	reach float64
}{
	{schrodinger.Gaussian{Dim: 1, Sigma: 16}, 1, 128},
	{schrodinger.Gaussian{Dim: 2, Sigma: 2}, 2, 16},
	{schrodinger.Uniform{Dim: 1, HalfWidth: 0.3}, 1, 0.3},
	{schrodinger.Uniform{Dim: 2, HalfWidth: 5}, 2, 5},
}

// Averages of e^{ik·x} over samples are ∫ρ e^{ik·x}, k from coarse to fine, within five
// standard errors; ρ, from its jet, has integral 1.
func TestSamplesFollowTheDensity(t *testing.T) {
	const n = 100_000
	for _, s := range samplers {
		require.NoError(t, s.Validate())
		grid := testkit.Must(schrodinger.Midpoint(s.dim, 200, s.reach))
		state := testkit.Must(RNGStateFromSeed(7))
		out := evaluate(t, func(in []*Node) []*Node {
			return []*Node{
				s.Sample(&generator{in[0]}, dtypes.Float64, n),
				s.LogDensity(jet.Inputs(in[1])).Value,
			}
		}, state, tensorOf(grid.Points))
		require.Equal(t, []int{1, n, s.dim}, out[0].Shape().Dimensions)
		require.Equal(t, []int{len(grid.Weights), 1}, out[1].Shape().Dimensions)
		samples, logRho := testkit.Flat(out[0]), testkit.Flat(out[1])

		var mass float64
		for p, w := range grid.Weights {
			mass += w * math.Exp(logRho[p])
		}
		assert.InDelta(t, 1, mass, 1e-11, "%+v", s.Sampler)

		for _, waves := range []float64{0.5, 1, 3, 6} {
			k := make([]float64, s.dim)
			for d := range k {
				k[d] = waves * math.Pi / s.reach * float64(1+d) // a different wave number along every axis
			}
			var want, got [2]float64
			for p, w := range grid.Weights {
				sin, cos := math.Sincos(floats.Dot(k, grid.Points.RawRowView(p)))
				want[0] += w * math.Exp(logRho[p]) * cos
				want[1] += w * math.Exp(logRho[p]) * sin
			}
			for i := range n {
				sin, cos := math.Sincos(floats.Dot(k, samples[i*s.dim:(i+1)*s.dim]))
				got[0] += cos / n
				got[1] += sin / n
			}
			for part := range want {
				assert.InDelta(t, want[part], got[part], 5/math.Sqrt(n)+1e-4, "%+v at wave %v", s.Sampler, waves)
			}
		}
	}
}
