package ommlx

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// Sanger is the OMM variant whose gradient is Sanger's rule (the generalized Hebbian algorithm). With the zero value
// the gradient of the loss with respect to f_i is, for every batch,
//
//	−(2/B) [Tf_i − Σ_{j≤i} ⟨f_j, Tf_i⟩ f_j],
//
// which for a matrix is −2 (I − V_{1:i} V_{1:i}ᵀ) A v_i: minus 2 times Sanger's update (section 2.2.5 of the paper). No
// gradient reaches TF. It is the gradient of no function; the surrogate that is differentiated is
//
//	−2 tr M[f, sg Tf] + tr(M^seq[f] sg N),
//
// with N = M[f,Tf] where that matrix is symmetric, as it is for a self-adjoint T without sampling noise. For a noisy
// M[f,Tf] N takes its upper triangle on both sides, because that is where Sanger's ⟨f_j, Tf_i⟩, j ≤ i, stand; the whole
// of M[f,Tf] would give their average with ⟨f_i, Tf_j⟩.
type Sanger struct {
	stateless
	// Printed chooses a formula of the paper that is not Sanger's rule. Leave it zero, except to study that.
	Printed PrintedSanger
}

// PrintedSanger names formulas printed in the paper for Sanger's variant.
type PrintedSanger int

const (
	// SangersRule is the rule itself.
	SangersRule PrintedSanger = iota
	// SangerDetached is the appendix's PyTorch code. It detaches M[f,Tf] before the operator term is formed, so that of
	// −2 tr sg M[f,Tf] + ⟨M^seq[f], sg M[f,Tf]⟩ only the second term has a gradient, which shrinks f.
	SangerDetached
	// SangerBothGradients is the appendix's equation, −2 tr M[f,Tf] + tr(M^seq[f] sg M[f,Tf]), differentiated through
	// both f and Tf. The operator term then counts twice, and a fixed point has squared norm 2.
	SangerBothGradients
)

// Name returns "sanger", "sanger_detached" or "sanger_bothgradients".
func (s Sanger) Name() string {
	switch s.Printed {
	case SangersRule:
		return "sanger"
	case SangerDetached:
		return "sanger_detached"
	case SangerBothGradients:
		return "sanger_bothgradients"
	}
	return fmt.Sprintf("sanger_printed%d", int(s.Printed))
}

// Validate reports settings that make no sense.
func (s Sanger) Validate(_ int) error {
	if s.Printed < SangersRule || s.Printed > SangerBothGradients {
		return fmt.Errorf("printed variant %d does not exist: use SangersRule, SangerDetached or SangerBothGradients",
			int(s.Printed))
	}
	return nil
}

// Loss is the interface's; see Sanger for the equation. Its value is that of OMM-1 (if M[f,Tf] is symmetric); only its
// gradient differs. State is not used.
func (s Sanger) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(s, b)
	return b.linear(s.loss), nil
}

func (s Sanger) loss(b Batch) *Node {
	switch s.Printed {
	case SangerDetached:
		mT := StopGradient(b.projected())
		return Add(MulScalar(trace(mT), -2), inner(b.overlap(ownSeqMoment), mT))
	case SangerBothGradients:
		mT := b.projected()
		return Add(MulScalar(trace(mT), -2), inner(b.overlap(ownSeqMoment), StopGradient(mT)))
	}
	mT := b.detached()
	// ⟨sg f_i, f_j⟩ over i ≤ j, twice off the diagonal for the two sides of the symmetric M^seq[f] and twice on it for
	// the two factors of ⟨f_i, f_i⟩. The diagonal's value is then doubled too: the constant takes that back.
	m := b.overlap(func(f *Node) *Node { return SecondMoment(StopGradient(f), f) })
	upper := TakeUpperTriangular(Mul(m, StopGradient(mT)), 0)
	metric := Sub(MulScalar(ReduceSum(upper, -2, -1), 2), StopGradient(trace(upper)))
	return Add(MulScalar(trace(mT), -2), metric)
}
