package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// ntXent is the equation on the host, for the features of two views, [B, k] each.
func ntXent(first, second graphtest.Array, temperature float64) float64 {
	images, k := first.Dims[0], first.Dims[1]
	z := append(append([]float64{}, first.Data...), second.Data...)
	similarity := func(i, j int) float64 {
		a, b := z[i*k:(i+1)*k], z[j*k:(j+1)*k]
		return floats.Dot(a, b) / (floats.Norm(a, 2) * floats.Norm(b, 2) * temperature)
	}
	loss := 0.0
	for i := range 2 * images {
		var others []float64
		for j := range 2 * images {
			if j != i {
				others = append(others, similarity(i, j))
			}
		}
		partner := (i + images) % (2 * images)
		loss += (floats.LogSumExp(others) - similarity(i, partner)) / float64(2*images)
	}
	return loss
}

// simclr evaluates the loss of two views.
func simclr(t *testing.T, s ommlx.SimCLR, first, second graphtest.Array) ommtest.Evaluation {
	t.Helper()
	return ommtest.Evaluate(t, graphtest.NewProgram(t, ommtest.On(s, onViews(ommlx.UnitNorm))),
		ommtest.Point{F: first, TF: second, C1: first, C2: second}, nil)
}

func TestSimCLRIsNTXent(t *testing.T) {
	rng := graphtest.NewRand(151)
	first, second := graphtest.Gaussian(rng, 7, 4), graphtest.Gaussian(rng, 7, 4)
	for _, temperature := range []float64{0, 0.07, 1} {
		want := ntXent(first, second, temperature)
		if temperature == 0 {
			want = ntXent(first, second, 0.2)
		}
		got := simclr(t, ommlx.SimCLR{Temperature: temperature}, first, second)
		require.InDelta(t, want, got.Loss.Data[0], 1e-12, "temperature %g", temperature)
	}
}

// Where all features are one, no view tells its partner from 2B − 2 others; nor does it where all 2B are orthogonal.
// Where both views agree and images are orthogonal, the partner stands out by 1/τ.
func TestSimCLRInClosedForm(t *testing.T) {
	const images, temperature = 5, 0.3
	one, frame := graphtest.NewArray(images, 2*images), graphtest.Eye(2*images)
	for i := range images {
		one.Data[i*2*images] = float64(i + 1) // of any norm
	}
	half := images * 2 * images
	upper := graphtest.Array{Dims: one.Dims, Data: frame.Data[:half]}
	lower := graphtest.Array{Dims: one.Dims, Data: frame.Data[half:]}
	for name, c := range map[string]struct {
		first, second graphtest.Array
		want          float64
	}{
		"all the same":      {one, one, math.Log(2*images - 1)},
		"all orthogonal":    {upper, lower, math.Log(2*images - 1)},
		"images orthogonal": {upper, upper, math.Log1p((2*images - 2) * math.Exp(-1/temperature))},
		"views opposite":    {upper, upper.Scaled(-1), math.Log1p((2*images - 2) * math.Exp(1/temperature))},
	} {
		got := simclr(t, ommlx.SimCLR{Temperature: temperature}, c.first, c.second)
		require.InDelta(t, c.want, got.Loss.Data[0], 1e-12, name)
	}
}

func TestSimCLRGradient(t *testing.T) {
	at := ommtest.GaussianPoint(graphtest.NewRand(152), 5, 3)
	for name, batchOf := range map[string]ommtest.BatchOf{
		"views": onViews(ommlx.UnitNorm), "rows of any F and TF": ommtest.Shared,
	} {
		t.Run(name, func(t *testing.T) {
			p := graphtest.NewProgram(t, ommtest.On(ommlx.SimCLR{}, batchOf))
			requireCentralDifferences(t, ownLoss(t, p), at, ommtest.Evaluate(t, p, at, nil))
		})
	}
}

// In float32, at temperatures at which exp(1/τ) overflows and exp(−1/τ) vanishes and with norms far from 1,
// loss and gradient are those of float64.
func TestSimCLRIsStable(t *testing.T) {
	rng := graphtest.NewRand(154)
	first, second := graphtest.Gaussian(rng, 6, 4), graphtest.Gaussian(rng, 6, 4)
	for _, temperature := range []float64{0.2, 1e-3} {
		s := ommlx.SimCLR{Temperature: temperature}
		program := graphtest.NewProgramOn(t, graphtest.Backend(t), dtypes.Float32,
			ommtest.On(s, onViews(ommlx.UnitNorm)))
		for _, scale := range []float64{1e-12, 1, 1e12} {
			f, g := first.Scaled(scale), second.Scaled(scale)
			got := ommtest.Evaluate(t, program, ommtest.Point{F: f, TF: g, C1: f, C2: g}, nil)
			want := simclr(t, s, f, g)
			name := fmt.Sprintf("temperature %g, scale %g", temperature, scale)
			graphtest.RequireClose(t, want.Loss, got.Loss, 1e-5, name)
			graphtest.RequireClose(t, want.DF.Scaled(scale), got.DF.Scaled(scale), 1e-3, name)
		}
	}
}

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
	at := ommtest.GaussianPoint(graphtest.NewRand(162), 3, 4)
	for _, norm := range []ommlx.FeatureNorm{ommlx.UnitNorm, ommlx.RootNorm, ommlx.FreeNorm} {
		p := graphtest.NewProgram(t, func(in []*Node) []*Node {
			sum := ReduceAllSum(Mul(norm.Apply(in[0]), in[1]))
			return append([]*Node{sum}, Gradient(sum, in...)...)
		})
		requireCentralDifferences(t, ownLoss(t, p), at, ommtest.Evaluate(t, p, at, nil))
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
