package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/operator"
)

// initState returns an objective's initial state as arrays.
func initState(o ommlx.Objective, runs, k int) []graphtest.Array {
	var state []graphtest.Array
	for _, s := range o.InitState(runs, k) {
		state = append(state, graphtest.FromTensor(s))
	}
	return state
}

// lateState is a state as in the middle of training, where nothing is zero.
func lateState(o ommlx.Objective, runs, k int) []graphtest.Array {
	rng := graphtest.NewRand(77)
	state := initState(o, runs, k)
	if _, ok := o.(ommlx.SpIN); ok { // an average of second moments, with and without a leading axis
		f := graphtest.Gaussian(rng, 3*k, k)
		for i := range state[0].Data {
			state[0].Data[i] += ommtest.SecondMoment(f, f).Data[i%(k*k)]
		}
		return state
	}
	for i := range state {
		for j := range state[i].Data {
			state[i].Data[j] += math.Abs(rng.NormFloat64())
		}
	}
	return state
}

// descend does gradient steps on a matrix with the objective's state from step to step.
func descend(t *testing.T, o ommlx.Objective, a *mat.Dense, v graphtest.Array) graphtest.Array {
	t.Helper()
	p, state := graphtest.NewProgram(t, ommtest.OnMatrix(o)), initState(o, 0, v.Dims[1])
	for range 2000 {
		out := p.Call(t, append([]graphtest.Array{v, graphtest.FromMatrix(a)}, state...)...)
		for i := range v.Data {
			v.Data[i] -= 0.02 * out[1].Data[i]
		}
		state = out[2:]
	}
	return v
}

// onViews puts the batch of two views, [B, k] each in the places of F and TF, together as one run.
func onViews(norm ommlx.FeatureNorm) ommtest.BatchOf {
	return func(_ ommlx.Objective, in []*Node) ommlx.Batch {
		return operator.CDK(InsertAxes(in[0], 0), InsertAxes(in[1], 0), norm)
	}
}

func requireParallel(t *testing.T, want, got mat.Vector) {
	t.Helper()
	require.InDelta(t, 1, math.Abs(mat.Dot(want, got))/(mat.Norm(want, 2)*mat.Norm(got, 2)), 1e-8)
}
