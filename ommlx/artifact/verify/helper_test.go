package verify_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// descend moves v, [R,] d×k, by gradient steps on a matrix and returns the objective's last state.
func descend(t *testing.T, o ommlx.Objective, a *mat.Dense, v testkit.Array, steps int,
	rate float64) (state []testkit.Array) {
	t.Helper()
	runs := 0
	if len(v.Dims) == 3 {
		runs = v.Dims[0]
	}
	p, state := testkit.Compile(t, onMatrix(o)), testkit.InitState(o, runs, v.Dims[len(v.Dims)-1])
	for range steps {
		out := p.Call(t, v, testkit.FromMatrix(a), state)
		floats.AddScaled(v.Data, -rate, out[1].Data)
		state = out[2:]
	}
	return state
}

// requireFinds requires each column to be parallel to the same column of w.
func requireFinds(t *testing.T, w, found *mat.Dense) {
	t.Helper()
	require.Less(t, floats.Max(linalg.Angles(found, w)), 1.4e-4, "largest angle, in radians")
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

// evaluateObjective compiles an objective with [testkit.OneBatch] and evaluates it once in float64.
func evaluateObjective(t testing.TB, o ommlx.Objective, at testkit.Point, state []testkit.Array) testkit.Evaluation {
	t.Helper()
	return testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(o, testkit.OneBatch)), at, state)
}

// onMatrix computes loss, gradient and next state of an objective as a function of V, [R,] d×k, for the matrix A, d×d,
// and the state.
func onMatrix(o ommlx.Objective) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		v, a := in[0], in[1]
		f := MulScalar(v, math.Sqrt(float64(v.Shape().Dim(-2))))
		tf := MatMul(a, f)
		if f.Rank() == 3 {
			tf = Einsum("de,rek->rdk", a, f)
		}
		loss, next := o.Loss(ommlx.Batch{F: f, TF: tf}, in[2:])
		return append([]*Node{loss, Gradient(ReduceAllSum(loss), v)[0]}, next...)
	}
}

// scaledPoint returns c times the point.
func scaledPoint(at testkit.Point, c float64) testkit.Point {
	return at.Map(func(part testkit.Array) testkit.Array { return part.Scaled(c) })
}
