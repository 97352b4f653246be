package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
)

// initState returns an objective's initial state as arrays.
func initState(o ommlx.Objective, runs, k int) []testkit.Array {
	var state []testkit.Array
	for _, s := range o.InitState(runs, k) {
		state = append(state, testkit.FromTensor(s))
	}
	return state
}

// lateState returns a state without zeros, as in the middle of training.
func lateState(o ommlx.Objective, runs, k int) []testkit.Array {
	rng := testkit.NewRand(77)
	state := initState(o, runs, k)
	if _, ok := o.(ommlx.SpIN); ok { // an average of second moments, with and without a leading axis
		f := testkit.Gaussian(rng, 3*k, k)
		for i := range state[0].Data {
			state[0].Data[i] += testkit.SecondMoment(f, f).Data[i%(k*k)]
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

// descend moves v, [R,] d×k, by gradient steps on a matrix and returns the objective's last state.
func descend(t *testing.T, o ommlx.Objective, a *mat.Dense, v testkit.Array, steps int,
	rate float64) (state []testkit.Array) {
	t.Helper()
	runs := 0
	if len(v.Dims) == 3 {
		runs = v.Dims[0]
	}
	p, state := testkit.Compile(t, onMatrix(o)), initState(o, runs, v.Dims[len(v.Dims)-1])
	for range steps {
		out := p.Call(t, v, testkit.FromMatrix(a), state)
		floats.AddScaled(v.Data, -rate, out[1].Data)
		state = out[2:]
	}
	return state
}

// differences returns the batch of the pairs (F, TF) by differences, with M[f] from the others, shifted by kappa.
func differences(kappa float64) batching {
	return func(_ ommlx.Objective, in []*Node) ommlx.Batch {
		return ommlx.Differences(in[0], in[1], in[2:]...).Shift(kappa)
	}
}

// requireFinds requires each column to be parallel to the same column of w.
func requireFinds(t *testing.T, w, found *mat.Dense) {
	t.Helper()
	require.Less(t, floats.Max(verify.Angles(found, w)), 1.4e-4, "largest angle, in radians")
}

// fromEigenvectors returns the largest deviation from 1 of the norm of a column of v, or of its component along the
// same column of w.
func fromEigenvectors(v, w *mat.Dense) (deviation float64) {
	_, k := v.Dims()
	for i := range k {
		along := math.Abs(mat.Dot(v.ColView(i), w.ColView(i)))
		deviation = max(deviation, math.Abs(1-along), math.Abs(1-mat.Norm(v.ColView(i), 2)))
	}
	return deviation
}
