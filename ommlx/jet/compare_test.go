package jet_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
)

// TestDifferencesHaveOrderTwo fits the slope of log error over log h, for each stream of three networks.
func TestDifferencesHaveOrderTwo(t *testing.T) {
	steps := []float64{0.04, 0.02, 0.01, 0.005}
	rng := newRand()
	args := append(parameters(rng, 3), normal(rng, 1, points, dims))
	last := len(args) - 1
	got := evaluate(t, func(in []*Node) []*Node {
		f := func(x *Node) *Node { return network(in[:last], jet.Inputs(x)).Value }
		out := streams(network(in[:last], jet.Inputs(in[last])))
		for _, h := range steps {
			out = append(out, streams(jet.Differences(f, in[last], h))...)
		}
		return out
	}, args)
	const all = dims + 2
	assertClose(t, got[0], got[all], 1e-14, "the value")
	for s := 1; s < all; s++ {
		var logH, logError []float64
		for i, h := range steps {
			sum := 0.0
			for b, want := range got[s] {
				sum += math.Pow(got[(i+1)*all+s][b]-want, 2)
			}
			logH, logError = append(logH, math.Log(h)), append(logError, math.Log(sum)/2)
		}
		_, slope := stat.LinearRegression(logH, logError, nil, false)
		assert.InDelta(t, 2, slope, 0.03, "stream %d", s)
	}
}

// TestDifferencesOfQuadratics are exact but for rounding, in any dimension, alone and in a product with an exact jet.
func TestDifferencesOfQuadratics(t *testing.T) {
	for _, dims := range []int{1, 3} {
		got := graphtest.Evaluate(t, func(in []*Node) []*Node {
			// 3 x₀² − 2 x₀x_D + x_D − 1
			quadratic := func(x jet.Jet) jet.Jet {
				first, last := x.Column(0), x.Column(x.Dims()-1)
				return jet.Shift(jet.Add(jet.Mul(first, jet.Sub(jet.Scale(first, 3), jet.Scale(last, 2))), last), -1)
			}
			x := jet.Inputs(in[0])
			exact := quadratic(x)
			differences := jet.Differences(func(x *Node) *Node { return quadratic(jet.Inputs(x)).Value }, in[0], 0.5)
			factor := jet.Sin(x)
			out := append(streams(exact), streams(jet.Mul(exact, factor))...)
			return append(append(out, streams(differences)...), streams(jet.Mul(differences, factor))...)
		}, normal(newRand(), 2, 2, points, dims))
		for s := range len(got) / 2 {
			assertClose(t, got[s], got[len(got)/2+s], 1e-13, "stream ", s, " in ", dims, " dimensions")
		}
	}
}
