package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// Sanger is the OMM variant whose gradient is Sanger's rule (the generalized Hebbian algorithm). With the zero value
// the gradient of the loss with respect to f_i is, for every batch,
//
//	−(2/B) [Tf_i − Σ_{j≤i} ⟨f_j, Tf_i⟩ f_j],
//
// which for a matrix is −2 (I − V_{1:i} V_{1:i}ᵀ) A v_i: −2 times Sanger's update (section 2.2.5 of the paper). TF has
// no gradient. The rule is not the gradient of any function; Loss differentiates the surrogate
//
//	−2 tr M[f, sg Tf] + tr(M^seq[f] sg N),
//
// with N = M[f,Tf] if that matrix is symmetric, as for a self-adjoint T without sampling noise. Otherwise N is the
// upper triangle of M[f,Tf], mirrored, which contains Sanger's ⟨f_j, Tf_i⟩, j ≤ i.
type Sanger struct{ stateless }

// Name returns "sanger".
func (Sanger) Name() string { return "sanger" }

// Loss returns the loss; see Sanger for the equation. It has the value of OMM-1 if M[f,Tf] is symmetric; only the
// gradient differs.
func (s Sanger) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(s, b)
	return b.linear(sangerLoss), nil
}

func sangerLoss(b Batch) *Node {
	mT := b.detached()
	// ⟨sg f_i, f_j⟩ over i ≤ j: twice off the diagonal for the two triangles of the symmetric M^seq[f], and twice on it
	// for the two factors of ⟨f_i, f_i⟩. That doubles the diagonal's value as well, so the constant subtracts it once.
	m := b.overlap(func(f, g *Node) *Node { return SecondMoment(StopGradient(f), g) })
	upper := TakeUpperTriangular(Mul(m, StopGradient(mT)), 0)
	metric := Sub(MulScalar(ReduceSum(upper, -2, -1), 2), StopGradient(trace(upper)))
	return Add(MulScalar(trace(mT), -2), metric)
}
