package rl

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
)

// Penalised is OMM of order 1 with the penalty κ‖M[f] − I‖²_F instead of a shift by κI. M[f] has F in both factors.
// Nesting applies to the penalty, too:
//
//	L = L_OMM + κ Σ_i α_i ‖M[f_1, …, f_i] − I‖²_F,
//
// up to a constant; without nesting there is one term. Over batches this penalty and the shift (paper, section 2.2.3)
// have different means: both factors of the penalty use the same samples, so its mean also contains ‖M[f] − E M[f]‖²,
// of order 1/B. With independent batches the means are equal; see Overlap of [ommlx.Batch].
//
// Source: the grid-world code of the paper's second author (repository samueltzhou/laplacian_dual_dynamics_omm),
// src/trainer/seq_low_rank.py and low_rank.py at commit 58e10cd.
type Penalised struct {
	ommlx.OMM
	// Kappa is κ, in the units of T's eigenvalues.
	Kappa float64
	// Reversed selects the variant in src/trainer/eff_seq_low_rank.py at commit e0190be, only for sequential nesting:
	// the penalty has no weights, and in its ⟨f_i, f_j⟩ the earlier function gets the gradient, not the later one.
	Reversed bool
}

// Loss adds the penalty of F to the loss of OMM.
func (p Penalised) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	loss, _ := p.OMM.Loss(b, nil)
	// ‖M − I‖² is −2 tr M + tr(M M), the loss of T = I, and a constant.
	if p.Reversed {
		m := earlierMoment(b.F)
		trace := ReduceSum(Mul(m, ommlx.IdentityLike(m)), -2, -1)
		return Add(loss, MulScalar(Add(MulScalar(trace, -2), ReduceSum(Mul(m, m), -2, -1)), p.Kappa)), nil
	}
	penalty, _ := p.OMM.Loss(ommlx.Batch{F: b.F, TF: b.F}, nil)
	return Add(loss, MulScalar(penalty, p.Kappa)), nil
}

// earlierMoment returns M^seq[f] with its triangles exchanged: in ⟨f_i, f_j⟩ the function with the smaller index gets
// the gradient.
func earlierMoment(f *Node) *Node {
	upper := ommlx.SecondMoment(f, StopGradient(f))
	return ommlx.JoinTriangles(Transpose(upper, -1, -2), upper)
}
