package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// inverseCholesky returns L⁻¹ for a symmetric positive definite m = L Lᵀ, [...,] k×k: the elimination that turns m into
// Lᵀ, applied to the identity. For another m the result is NaN. Its k steps are written out, since GoMLX has neither a
// Cholesky decomposition nor loops inside of loops.
func inverseCholesky(m *Node) *Node {
	k := m.Shape().Dim(-1)
	rest := m // not eliminated yet
	inverse := Add(ZerosLike(m), identityLike(m))
	for j := range k {
		column := Slice(rest, AxisRange().Spacer(), AxisRange(j, j+1))
		root := Sqrt(Slice(column, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()))
		column = Div(column, root) // of L; zero above the diagonal, for there rest has been eliminated
		row := Div(Slice(inverse, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()), root)
		unit := Slice(identityLike(m), AxisRange().Spacer(), AxisRange(j, j+1))
		others := Sub(OnesLike(unit), unit)
		// Row j is replaced, and taken from the rows below as often as column says.
		inverse = Add(Mul(inverse, others), Mul(Sub(unit, Mul(column, others)), row))
		rest = Sub(rest, Mul(column, swap(column)))
	}
	return inverse
}
