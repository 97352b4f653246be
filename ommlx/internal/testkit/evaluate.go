package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// evaluation is the result of one call of an objective: the loss, [R] or a scalar, the gradients for the four parts of
// a point, and the next state.
type evaluation struct {
	Loss              testkit.Array
	DF, DTF, DC1, DC2 testkit.Array
	Gradients         []testkit.Array // DF, DTF, DC1, DC2
	Next              []testkit.Array
	All               []testkit.Array // Loss, Gradients, Next
}

// batching makes a batch for an objective from in = F, TF and up to two batches for M[f], C1 and C2.
type batching func(o ommlx.Objective, in []*Node) ommlx.Batch

// oneBatch estimates M[f] from F, except for ALLO, whose constraint needs C1 and C2.
func oneBatch(o ommlx.Objective, in []*Node) ommlx.Batch {
	if s, ok := o.(ommlx.Shifted); ok {
		o = s.Objective
	}
	if _, ok := o.(ommlx.ALLO); ok {
		return twoBatches(o, in)
	}
	return ommlx.Batch{F: in[0], TF: in[1]}
}

// twoBatches estimates M[f] from C1 and C2.
func twoBatches(_ ommlx.Objective, in []*Node) ommlx.Batch {
	return ommlx.Batch{F: in[0], TF: in[1], Overlap: in[2:]}
}

// onBatch computes loss, gradients and next state of an objective from F, TF, C1, C2 and the state.
func onBatch(o ommlx.Objective, batchOf batching) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		loss, next := o.Loss(batchOf(o, in[:4]), in[4:])
		return append(append([]*Node{loss}, Gradient(ReduceAllSum(loss), in[:4]...)...), next...)
	}
}

// evaluateAt calls a program of [onBatch].
func evaluateAt(t testing.TB, p testkit.Program, at testkit.Point, state []testkit.Array) evaluation {
	t.Helper()
	out := p.Call(t, inputs(at), state)
	return evaluation{Loss: out[0], DF: out[1], DTF: out[2], DC1: out[3], DC2: out[4],
		Gradients: out[1:5], Next: out[5:], All: out}
}

// evaluateObjective compiles an objective with [oneBatch] and evaluates it once in float64.
func evaluateObjective(t testing.TB, o ommlx.Objective, at testkit.Point, state []testkit.Array) evaluation {
	t.Helper()
	return evaluateAt(t, testkit.Compile(t, onBatch(o, oneBatch)), at, state)
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

// inputs lists the inputs of a program of [onBatch] before the state.
func inputs(at testkit.Point) []testkit.Array { return []testkit.Array{at.F, at.TF, at.C1, at.C2} }

// scaledPoint returns c times the point.
func scaledPoint(at testkit.Point, c float64) testkit.Point {
	return at.Map(func(part testkit.Array) testkit.Array { return part.Scaled(c) })
}

// requireAllClose is [testkit.RequireClose] for several arrays.
func requireAllClose(t testing.TB, want, got []testkit.Array, tolerance float64, what string) {
	t.Helper()
	require.Len(t, got, len(want), what)
	for i := range want {
		testkit.RequireClose(t, want[i], got[i], tolerance, what)
	}
}
