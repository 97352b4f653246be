package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// ntXent is the equation on the host, for the features of two views, [B, k] each.
func ntXent(first, second testkit.Array, temperature float64) float64 {
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
func simclr(t *testing.T, s ommlx.SimCLR, first, second testkit.Array) ommtest.Evaluation {
	t.Helper()
	return ommtest.Evaluate(t, testkit.NewProgram(t, ommtest.On(s, onViews(ommlx.UnitNorm))),
		ommtest.Point{F: first, TF: second, C1: first, C2: second}, nil)
}

func TestSimCLRIsNTXent(t *testing.T) {
	rng := testkit.NewRand(151)
	first, second := testkit.Gaussian(rng, 7, 4), testkit.Gaussian(rng, 7, 4)
	for _, temperature := range []float64{0, 0.07, 1} {
		want := ntXent(first, second, temperature)
		if temperature == 0 {
			want = ntXent(first, second, 0.2)
		}
		got := simclr(t, ommlx.SimCLR{Temperature: temperature}, first, second)
		require.InDelta(t, want, got.Loss.Data[0], 1e-12, "temperature %g", temperature)
	}
}

func TestSimCLRGradient(t *testing.T) {
	at := ommtest.GaussianPoint(testkit.NewRand(152), 5, 3)
	for name, batchOf := range map[string]ommtest.BatchOf{
		"views": onViews(ommlx.UnitNorm), "rows of any F and TF": ommtest.Shared,
	} {
		t.Run(name, func(t *testing.T) {
			p := testkit.NewProgram(t, ommtest.On(ommlx.SimCLR{}, batchOf))
			requireCentralDifferences(t, ownLoss(t, p), at, ommtest.Evaluate(t, p, at, nil))
		})
	}
}

// In float32, at temperatures at which exp(1/τ) overflows and exp(−1/τ) vanishes and with norms far from 1,
// loss and gradient are those of float64.
func TestSimCLRIsStable(t *testing.T) {
	rng := testkit.NewRand(154)
	first, second := testkit.Gaussian(rng, 6, 4), testkit.Gaussian(rng, 6, 4)
	for _, temperature := range []float64{0.2, 1e-3} {
		s := ommlx.SimCLR{Temperature: temperature}
		program := testkit.NewProgramOn(t, testkit.Backend(t), dtypes.Float32,
			ommtest.On(s, onViews(ommlx.UnitNorm)))
		for _, scale := range []float64{1e-12, 1, 1e12} {
			f, g := first.Scaled(scale), second.Scaled(scale)
			got := ommtest.Evaluate(t, program, ommtest.Point{F: f, TF: g, C1: f, C2: g}, nil)
			want := simclr(t, s, f, g)
			name := fmt.Sprintf("temperature %g, scale %g", temperature, scale)
			testkit.RequireClose(t, want.Loss, got.Loss, 1e-5, name)
			testkit.RequireClose(t, want.DF.Scaled(scale), got.DF.Scaled(scale), 1e-3, name)
		}
	}
}

// Rows get the norm, and keep their direction and their number of axes; the gradient goes through the norm.
func TestFeatureNorms(t *testing.T) {
	at := ommtest.GaussianPoint(testkit.NewRand(161), 2, 5, 4)
	for norm, want := range map[ommlx.FeatureNorm]float64{ommlx.UnitNorm: 1, ommlx.RootNorm: 2, ommlx.FreeNorm: 0} {
		p := testkit.NewProgram(t, func(in []*Node) []*Node {
			f := norm.Apply(in[0])
			sum := ReduceAllSum(Mul(f, in[1]))
			return append(append([]*Node{sum}, Gradient(sum, in...)...), f)
		})
		e := ommtest.Evaluate(t, p, at, nil)
		requireCentralDifferences(t, ownLoss(t, p), at, e)
		require.Equal(t, at.F.Dims, e.Next[0].Dims)
		for i, v := range e.Next[0].Data {
			length := floats.Norm(at.F.Data[i-i%4:i-i%4+4], 2)
			if norm == ommlx.FreeNorm {
				want = length
			}
			require.InDelta(t, want*at.F.Data[i]/length, v, 1e-14, "%s", norm)
		}
	}
}

// A feature that is zero stays zero, with a finite gradient, and does not touch the others.
func TestNormOfAZeroFeature(t *testing.T) {
	f := testkit.NewArray(2, 3)
	f.Data[0] = 5
	out := testkit.NewProgram(t, func(in []*Node) []*Node {
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
	_, err := testkit.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.FeatureNorm(3).Apply(in[0])}
	}).TryCall(testkit.NewArray(2, 3))
	require.ErrorContains(t, err, want)
}
