package verify

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
)

// Printed is a loss that the paper prints for joint nesting or Sanger's rule and that differs from [ommlx.OMM] and
// [ommlx.Sanger]. The value is its name.
type Printed string

const (
	// JointPseudocode is the appendix's PyTorch code for joint nesting, with an extra mean over modes in the operator
	// term. With the weights 1/k and m_i = (k−i+1)/k,
	//
	//	−(2/k) Σ_i m_i M[f,Tf]_ii + ⟨P ⊙ M[f], M[f,Tf]⟩.
	//
	// It equals the joint loss of √k·f, divided by k²: the minimiser shrinks by 1/√k.
	JointPseudocode Printed = "omm_jnt_pseudocode"
	// JointEquation is the equation of section 2.3.1 read literally, with the mask outside the matrix product:
	//
	//	tr(P ⊙ (−2 M[f,Tf] + M[f] M[f,Tf])) = Σ_i m_i (−2 M[f,Tf]_ii + Σ_j M[f]_ij M[f,Tf]_ji).
	//
	// Only the mask's diagonal enters the trace, so the pair (i,j) has weight m_i instead of m_max(i,j). From random
	// starts it converged to the minimiser of joint nesting if eigenvalues differ little. It is unbounded below if two
	// eigenvalues have a ratio q with (√q + 1/√q)/2 > ((1+s)/(1−s))², s² = m_j/m_i < 1; for m = (1, ½) that is
	// q > 4,614.
	JointEquation Printed = "omm_jnt_equation"
	// SangerDetached is the appendix's PyTorch code for Sanger's rule. It detaches M[f,Tf] before forming the operator
	// term, so only the second term of −2 tr sg M[f,Tf] + ⟨M^seq[f], sg M[f,Tf]⟩ has a gradient, which shrinks f.
	SangerDetached Printed = "sanger_detached"
	// SangerBothGradients is the appendix's equation for Sanger's rule, −2 tr M[f,Tf] + tr(M^seq[f] sg M[f,Tf]),
	// differentiated through both f and Tf. The operator term then counts twice, and a fixed point has squared norm 2.
	SangerBothGradients Printed = "sanger_bothgradients"
)

// Name returns the name.
func (p Printed) Name() string { return string(p) }

// InitState returns nil.
func (Printed) InitState(_, _ int) []*tensors.Tensor { return nil }

// Loss returns the formula for a batch; there is no state.
func (p Printed) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	m, mT := b.Moments(ommlx.NoNesting)
	k := m.Shape().Dim(-1)
	unit := ommlx.IdentityLike(m)
	mask := ExpandLeftToRank(ConstAs(m, ommlx.JointMask(slices.Repeat([]float64{1 / float64(k)}, k))), m.Rank())
	inner := func(a, b *Node) *Node { return ReduceSum(Mul(a, b), -2, -1) }
	switch p {
	case JointPseudocode:
		return Add(MulScalar(inner(Mul(mask, unit), mT), -2/float64(k)), inner(Mul(mask, m), mT)), nil
	case JointEquation: // Σ_ij m_j M_ij MT_ij is Σ_i m_i (M MT)_ii, because M is symmetric
		columns := ReduceAndKeep(Mul(mask, unit), ReduceSum, -2) // m_j in column j
		return inner(Mul(columns, Sub(m, MulScalar(unit, 2))), mT), nil
	case SangerDetached, SangerBothGradients:
		sequential, _ := b.Moments(ommlx.Sequential)
		operator := mT
		if p == SangerDetached {
			operator = StopGradient(mT)
		}
		return Add(MulScalar(inner(unit, operator), -2), inner(sequential, StopGradient(mT))), nil
	}
	panic(fmt.Errorf("verify.Printed: unknown formula %q", string(p)))
}

// JointWeights returns the cumulative weights of joint nesting, m_i = Σ_{j≥i} α_j: the i-th function is in the prefixes
// i, i+1, …, k (paper, section 2.3.1).
func JointWeights(alpha []float64) []float64 {
	m := make([]float64, len(alpha))
	for i, row := range ommlx.JointMask(alpha) {
		m[i] = row[i]
	}
	return m
}

// MatrixOMM returns the OMM-p objective of a symmetric matrix a, d×d, at v, d×k, in its original form, Eq. (4),
//
//	−tr(Q_p VᵀAV),  Q_p = Σ_{i=0}^{2p−1} (I − VᵀV)^i,
//
// where Q_p is the expansion of (VᵀV)⁻¹ to order 2p−1.
func MatrixOMM(v, a *Node, p int) *Node {
	vt := Transpose(v, 0, 1)
	overlap := MatMul(vt, v)
	unit := ommlx.IdentityLike(overlap)
	q := unit
	for range 2*p - 1 {
		q = Add(unit, MatMul(Sub(unit, overlap), q))
	}
	return Neg(ReduceAllSum(Mul(q, MatMul(vt, MatMul(a, v))))) // Q_p is symmetric
}
