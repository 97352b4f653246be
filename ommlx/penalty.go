package ommlx

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Penalised is OMM of order 1 with the penalty κ‖M[f] − I‖²_F in the place of a shift by κI, with M[f] from F on both
// sides. Nesting has its way with the penalty too:
//
//	L = L_OMM + κ Σ_i α_i ‖M[f_1, …, f_i] − I‖²_F,
//
// up to a constant; without nesting it is there once. The mean over batches of this penalty is not that of the shift
// (paper, section 2.2.3), since both factors are from the same samples: it has ‖M[f] − E M[f]‖² more, of order 1/B.
// With factors from independent batches the two are equal: set Batch.Identity to κ, and Batch.Overlap.
//
// Source: the grid-world code of the paper's second author (repository samueltzhou/laplacian_dual_dynamics_omm),
// src/trainer/seq_low_rank.py and low_rank.py at commit 58e10cd.
type Penalised struct {
	OMM
	// Kappa is κ, in the units of T's eigenvalues; 0 leaves the penalty out.
	Kappa float64
	// Reversed is the variant in src/trainer/eff_seq_low_rank.py at commit e0190be, for sequential nesting: the
	// penalty has no weights, and of the two functions of ⟨f_i, f_j⟩ the earlier one moves, where it is the later one
	// in all else.
	Reversed bool
}

// Name returns that of OMM with the penalty, "omm_seq+1P", and for the reversed one "omm_seq+1R".
func (p Penalised) Name() string {
	if p.Kappa == 0 {
		return p.OMM.Name()
	}
	kind := "P"
	if p.Reversed {
		kind = "R"
	}
	return fmt.Sprintf("%s%+g%s", p.OMM.Name(), p.Kappa, kind)
}

// Validate reports settings that make no sense for k functions.
func (p Penalised) Validate(k int) error {
	switch {
	case math.IsNaN(p.Kappa) || math.IsInf(p.Kappa, 0):
		return fmt.Errorf("the weight of the penalty is %g: it must be finite", p.Kappa)
	case p.highestOrder() > 1:
		return fmt.Errorf("the penalty is that of order 1, but Orders reaches %d: leave Orders nil", p.highestOrder())
	case p.Reversed && p.Nesting != Sequential:
		return fmt.Errorf("the reversed penalty is one of sequential nesting: set Nesting to Sequential, or leave " +
			"Reversed false")
	}
	return p.OMM.Validate(k)
}

// Loss is the interface's; see Penalised for the equation. State is not used.
func (p Penalised) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(p, b)
	loss, _ := p.OMM.Loss(b, nil)
	if p.Kappa == 0 {
		return loss, nil
	}
	// ‖M − I‖² is −2 tr M + tr(M M), the loss of T = I, and a constant.
	if p.Reversed {
		m := earlierMoment(b.F)
		return Add(loss, MulScalar(Add(MulScalar(trace(m), -2), inner(m, m)), p.Kappa)), nil
	}
	return Add(loss, MulScalar(p.loss(Batch{F: b.F, TF: b.F}), p.Kappa)), nil
}

// earlierMoment returns M^seq[f] with its triangles exchanged: of ⟨f_i, f_j⟩ the function with the smaller index moves.
func earlierMoment(f *Node) *Node {
	upper := moment(f, StopGradient(f))
	return joinTriangles(swap(upper), upper)
}
