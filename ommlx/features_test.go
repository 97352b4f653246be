package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
)

// Rows get the norm, and keep their direction and their number of axes.
func TestFeatureNorms(t *testing.T) {
	const runs, batch, k = 2, 5, 4
	f := graphtest.Gaussian(graphtest.NewRand(161), runs, batch, k)
	for norm, want := range map[ommlx.FeatureNorm]float64{ommlx.UnitNorm: 1, ommlx.RootNorm: 2, ommlx.FreeNorm: 0} {
		got := graphtest.NewProgram(t, func(in []*Node) []*Node { return []*Node{norm.Apply(in[0])} }).Call(t, f)[0]
		require.Equal(t, f.Dims, got.Dims)
		for i := 0; i < len(f.Data); i += k {
			row, length := got.Data[i:i+k], floats.Norm(f.Data[i:i+k], 2)
			if norm == ommlx.FreeNorm {
				want = length
			}
			for j, v := range row {
				require.InDelta(t, want*f.Data[i+j]/length, v, 1e-14, "%s", norm)
			}
		}
	}
}

// The gradient goes through the norm: it is that of differences.
func TestGradientThroughTheNorm(t *testing.T) {
	rng := graphtest.NewRand(162)
	f, weights := graphtest.Gaussian(rng, 3, 4), graphtest.Gaussian(rng, 3, 4)
	for _, norm := range []ommlx.FeatureNorm{ommlx.UnitNorm, ommlx.RootNorm, ommlx.FreeNorm} {
		p := graphtest.NewProgram(t, func(in []*Node) []*Node {
			sum := ReduceAllSum(Mul(norm.Apply(in[0]), in[1]))
			return []*Node{sum, Gradient(sum, in[0])[0]}
		})
		const h = 1e-5
		want, at := graphtest.NewArray(3, 4), f.Clone()
		for i, v := range f.Data {
			at.Data[i] = v + h
			up := p.Call(t, at, weights)[0].Data[0]
			at.Data[i] = v - h
			want.Data[i] = (up - p.Call(t, at, weights)[0].Data[0]) / (2 * h)
			at.Data[i] = v
		}
		graphtest.RequireClose(t, want, p.Call(t, f, weights)[1], 1e-8, norm.String())
	}
}

// A feature that is zero stays zero, with a finite gradient, and does not touch the others.
func TestNormOfAZeroFeature(t *testing.T) {
	f := graphtest.NewArray(2, 3)
	f.Data[0] = 5
	out := graphtest.NewProgram(t, func(in []*Node) []*Node {
		g := ommlx.UnitNorm.Apply(in[0])
		return []*Node{g, Gradient(ReduceAllSum(g), in[0])[0]}
	}).Call(t, f)
	require.Equal(t, []float64{1, 0, 0, 0, 0, 0}, out[0].Data)
	for _, v := range out[1].Data {
		require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
	}
}

func TestUnknownFeatureNorm(t *testing.T) {
	const want = "feature norm 3 does not exist: use UnitNorm, RootNorm or FreeNorm"
	require.EqualError(t, ommlx.FeatureNorm(3).Validate(), want)
	for n := ommlx.UnitNorm; n <= ommlx.FreeNorm; n++ {
		require.NoError(t, n.Validate())
	}
	_, err := graphtest.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.FeatureNorm(3).Apply(in[0])}
	}).TryCall(graphtest.NewArray(2, 3))
	require.ErrorContains(t, err, want)
}
