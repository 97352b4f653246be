package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
)

// SecondMoment returns the second moment matrix of f and g,
//
//	M[f,g]_ij = ⟨f_i, g_j⟩ = 1/B Σ_b f_i(x_b) g_j(x_b).
//
// f and g are [R,] B×k with the same leading axes; the result is [R,] k×k. SecondMoment(f, f) is the overlap matrix
// M[f], SecondMoment(f, Tf) the projected matrix M[f,Tf].
//
// For an expectation with weights w_b (Σ w_b = 1; an exact distribution over states, or pair counts) multiply row b of
// both f and g by √(B·w_b). For a d×k matrix V multiply by √d: then M[f] = VᵀV.
//
// Paper, section 2.3 (operator version), between Eq. (5) and Eq. (8).
func SecondMoment(f, g *Node) *Node {
	if f != g {
		return moment(f, g)
	}
	// M[f] is symmetric, so its gradients f·G and f·Gᵀ are one contraction over the batch, f·(G + Gᵀ). The constant
	// subtracts the value that is counted twice.
	half := moment(f, StopGradient(f))
	return Add(half, Sub(swap(half), StopGradient(swap(half))))
}

// SeqSecondMoment returns the second moment matrix with the partial stop-gradients of sequential nesting,
//
//	M^seq[f,g]_ij = ⟨f_i, sg g_j⟩  for i > j,
//	                ⟨f_i, g_i⟩     for i = j,
//	                ⟨sg f_i, g_j⟩  for i < j.
//
// Its value and shape are the same as for SecondMoment(f, g), but the gradient for a function depends only on itself
// and the functions before it. The compiler merges the two contractions.
//
// Paper, section 2.3.1, definition of the partially stop-gradient second moment matrix.
func SeqSecondMoment(f, g *Node) *Node {
	lower := moment(f, StopGradient(g))
	var upper *Node
	if f == g {
		upper = swap(lower) // ⟨sg f_i, f_j⟩ is ⟨f_j, sg f_i⟩
	} else {
		upper = moment(StopGradient(f), g)
	}
	return JoinTriangles(lower, upper)
}

// JoinTriangles returns the lower triangle of one matrix, [...,] k×k, and the upper triangle of another with the same
// diagonal, for losses with partial stop-gradients. The gradient of the diagonal reaches both.
func JoinTriangles(lower, upper *Node) *Node {
	// The diagonal is in both triangles, so its value is subtracted once as a constant.
	onDiagonal := Mul(IdentityLike(lower), StopGradient(lower))
	return Sub(Add(TakeLowerTriangular(lower, 0), TakeUpperTriangular(upper, 0)), onDiagonal)
}

// moment is SecondMoment with the default gradients of the contraction.
func moment(f, g *Node) *Node {
	batch := leadingAxes(f)
	m := DotGeneral(f, []int{-2}, batch, g, []int{-2}, batch)
	return MulScalar(m, 1/float64(f.Shape().Dim(-2)))
}

// swap transposes the last two axes.
func swap(m *Node) *Node { return Transpose(m, -1, -2) }

// leadingAxes lists all axes of x except the last two.
func leadingAxes(x *Node) []int { return xslices.Iota(0, x.Rank()-2) }

// IdentityLike returns the identity matrix in the type of m, which is [...,] k×k, with leading axes of size 1.
func IdentityLike(m *Node) *Node {
	eye := ConvertDType(Diagonal(m.Graph(), m.Shape().Dim(-1)), m.DType())
	return ExpandLeftToRank(eye, m.Rank())
}

// matMul returns a·b for matrices with equal leading axes.
func matMul(a, b *Node) *Node {
	batch := leadingAxes(a)
	return DotGeneral(a, []int{-1}, batch, b, []int{-2}, batch)
}

// inner returns ⟨a, b⟩ = Σ_ij a_ij b_ij over the last two axes: [...,] k×k to [...]. If one of the two is symmetric
// then this is tr(ab).
func inner(a, b *Node) *Node {
	return ReduceSum(Mul(a, b), -2, -1)
}

// trace returns tr(a) over the last two axes: [...,] k×k to [...].
func trace(a *Node) *Node {
	return inner(a, IdentityLike(a))
}
