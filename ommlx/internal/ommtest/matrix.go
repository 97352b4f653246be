package ommtest

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
)

// MatrixPoint is V (d×k) seen as k functions on d samples with the operator A: f = √d·V, Tf = √d·AV.
func MatrixPoint(v, a *mat.Dense) Point {
	d, _ := v.Dims()
	var av mat.Dense
	av.Mul(a, v)
	f := graphtest.FromMatrix(v).Scaled(math.Sqrt(float64(d)))
	return Point{F: f, TF: graphtest.FromMatrix(&av).Scaled(math.Sqrt(float64(d))), C1: f, C2: f}
}

// OnMatrix computes loss, gradient and next state of an objective as a function of V, [R,] d×k, for the matrix A, d×d,
// and the state.
func OnMatrix(o ommlx.Objective) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		v, a := in[0], in[1]
		root := math.Sqrt(float64(v.Shape().Dim(-2)))
		f := MulScalar(v, root)
		tf := MatMul(a, f)
		if f.Rank() == 3 {
			tf = Einsum("de,rek->rdk", a, f)
		}
		loss, next := o.Loss(ommlx.Batch{F: f, TF: tf}, in[2:])
		return append([]*Node{loss, Gradient(ReduceAllSum(loss), v)[0]}, next...)
	}
}

// RequireEigenvectors requires that column i of v is ± eigenvector i, column i of w, with the norm that the objective
// gives it. It returns how much the norm and the part along that eigenvector deviate at most.
func RequireEigenvectors(t testing.TB, o ommlx.Objective, v, w *mat.Dense, eigenvalues []float64,
	tolerance float64) (deviation float64) {
	t.Helper()
	_, k := v.Dims()
	for i := range k {
		norm := 1.0
		if _, ok := o.(ommlx.LoRA); ok {
			norm = math.Sqrt(eigenvalues[i])
		}
		if omm, ok := o.(ommlx.OMM); ok && omm.Printed == ommlx.JointPseudocode {
			norm = 1 / math.Sqrt(float64(k))
		}
		along := math.Abs(mat.Dot(v.ColView(i), w.ColView(i)))
		deviation = max(deviation, math.Abs(norm-along), math.Abs(norm-mat.Norm(v.ColView(i), 2)))
		require.LessOrEqual(t, deviation, tolerance, "norm of column %d, or its part along eigenvector %d", i+1, i+1)
	}
	return deviation
}
