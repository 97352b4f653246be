package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// inverseCholesky returns L⁻¹ for a symmetric positive definite m = L Lᵀ, [...,] k×k: the elimination that turns m into
// Lᵀ, applied to the identity. For other m the result is NaN. The k steps are unrolled, since GoMLX has neither a
// Cholesky decomposition nor nested loops.
func inverseCholesky(m *Node) *Node {
	k := m.Shape().Dim(-1)
	rest := m // not eliminated yet
	inverse := Add(ZerosLike(m), IdentityLike(m))
	for j := range k {
		column := Slice(rest, AxisRange().Spacer(), AxisRange(j, j+1))
		root := Sqrt(Slice(column, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()))
		column = Div(column, root) // of L; zero above the diagonal, where rest is eliminated
		row := Div(Slice(inverse, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()), root)
		unit := Slice(IdentityLike(m), AxisRange().Spacer(), AxisRange(j, j+1))
		others := Sub(OnesLike(unit), unit)
		// Replace row j, and subtract its multiples by column from the rows below.
		inverse = Add(Mul(inverse, others), Mul(Sub(unit, Mul(column, others)), row))
		rest = Sub(rest, Mul(column, swap(column)))
	}
	return inverse
}
