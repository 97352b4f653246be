package operator

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Matrix returns f and Tf for a symmetric matrix A, with its eigenvectors trained directly as the columns of V:
//
//	f = √N V,   Tf = √N AV,
//
// so that means over the N rows are the plain products M[f] = VᵀV and M[f,Tf] = VᵀAV of the paper's Section 2.2.
//
// v [R, N, k]; a [N, N], the same for every run. Returns two [R, N, k].
//
// See also learn.Matrix, which trains, scales and evaluates V in one call.
func Matrix(v, a *Node) (f, tf *Node) {
	const where = "operator.Matrix"
	requireShape(where, "v", "[R, N, k]", v, some, some, some)
	n := v.Shape().Dim(1)
	requireShape(where, "a", "[N, N] for v [R, N, k]", a, n, n)
	f = MulScalar(v, math.Sqrt(float64(n)))
	applied := DotGeneral(f, []int{1}, nil, a, []int{1}, nil) // [R, k, N], since A is symmetric
	return f, Transpose(applied, 1, 2)
}
