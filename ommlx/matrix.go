package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// MatrixOMM returns the OMM-p objective of a matrix in its trace form, Eq. (5),
//
//	L^(p)(V) = tr((I − VVᵀ)^{2p} A) − tr A.
//
// v is [R,] d×k, a is [R,] d×d and symmetric, p ≥ 1; the result is [R] or a scalar. It works with d×d matrices: use it
// for small problems and as a check, and OMM (with f = √d·V, Tf = √d·AV) otherwise, whose value is the same.
func MatrixOMM(v, a *Node, p int) *Node {
	batch := leadingAxes(v)
	projector := DotGeneral(v, []int{-1}, batch, v, []int{-1}, batch)
	r := Sub(identityLike(projector), projector)
	power := r
	for range 2*p - 1 {
		power = matMul(r, power)
	}
	return Sub(inner(power, a), trace(a))
}

// MatrixOMMNeumann returns the OMM-p objective of a matrix in its original form, Eq. (4),
//
//	−tr(Q_p VᵀAV),  Q_p = Σ_{i=0}^{2p−1} (I − VᵀV)^i,
//
// where Q_p is the expansion of (VᵀV)⁻¹ to order 2p−1. Shapes are those of MatrixOMM, and so is the value.
func MatrixOMMNeumann(v, a *Node, p int) *Node {
	batch := leadingAxes(v)
	vt := func(x *Node) *Node { return DotGeneral(v, []int{-2}, batch, x, []int{-2}, batch) }
	overlap := vt(v)
	ones := make([]float64, 2*p)
	for i := range ones {
		ones[i] = 1
	}
	return Neg(inner(polynomial(Sub(identityLike(overlap), overlap), ones), vt(matMul(a, v))))
}
