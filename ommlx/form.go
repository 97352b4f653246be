package ommlx

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Term is one part of a bilinear form of k functions: in Σ_t M[Left_t, Right_t], entry (i, j) is ⟨f_i, Tf_j⟩.
//
// Column i of both is made from f_i alone, linearly: ∂f_i and ∂f_i for ∫ ∂f_i ∂f_j, f_i and V f_i for ∫ V f_i f_j. The
// form must be symmetric, as it is for a self-adjoint T: then to move Left alone is half of moving both, just as to
// move f alone in ⟨f, Tf⟩ is, and every objective keeps its rule.
type Term struct {
	// Left and Right are [R,] B'×k, with any number B' of samples.
	Left, Right *Node
}

// validate compares with the shape of F.
func (t Term) validate(f shapes.Shape) error {
	if t.Left == nil || t.Right == nil {
		return fmt.Errorf("Left and Right must both be given")
	}
	left, right := t.Left.Shape(), t.Right.Shape()
	if !left.Equal(right) || !equalButForSamples(left, f) {
		return fmt.Errorf("Left is %s and Right is %s, but both must have the same shape and but for the samples "+
			"that of F, %s", left, right, f)
	}
	return nil
}

// equalButForSamples tells whether two shapes [R,] B×k agree in all but B.
func equalButForSamples(s, f shapes.Shape) bool {
	if s.Rank() != f.Rank() {
		return false
	}
	s = s.Clone()
	s.Dimensions[f.Rank()-2] = f.Dim(-2)
	return s.Equal(f)
}

// sum adds a second moment over the terms of ⟨f_i, Tf_j⟩.
func (b Batch) sum(moment func(left, right *Node) *Node) *Node {
	var sum *Node
	for _, t := range b.terms() {
		m := moment(t.Left, t.Right)
		if sum != nil {
			m = Add(sum, m)
		}
		sum = m
	}
	return sum
}

// terms lists those of ⟨f_i, Tf_j⟩.
func (b Batch) terms() []Term {
	terms := slices.Clone(b.Form)
	if b.TF != nil {
		terms = append(terms, Term{Left: b.F, Right: b.TF})
	}
	if b.Identity != 0 {
		terms = append(terms, Term{Left: b.F, Right: MulScalar(b.F, b.Identity)})
	}
	return terms
}

// projected returns M[f,Tf].
func (b Batch) projected() *Node {
	if b.OneSided {
		return b.fromLeft(func(m *Node) *Node { return m })
	}
	return b.sum(SecondMoment)
}

// seqProjected returns M^seq[f,Tf].
func (b Batch) seqProjected() *Node {
	if b.OneSided {
		return b.fromLeft(func(m *Node) *Node { return TakeLowerTriangular(m, 0) })
	}
	return b.sum(SeqSecondMoment)
}

// detached returns M[f, sg Tf].
func (b Batch) detached() *Node {
	return b.sum(func(left, right *Node) *Node { return SecondMoment(left, StopGradient(right)) })
}

// fromLeft returns the symmetric part of M[f,Tf] with the gradient of m + mᵀ, where m is the part of ⟨f_i, sg Tf_j⟩
// that is chosen to move.
func (b Batch) fromLeft(moving func(m *Node) *Node) *Node {
	m := b.detached()
	value := StopGradient(MulScalar(Add(m, swap(m)), 0.5))
	m = moving(m)
	m = Add(m, swap(m))
	return Add(Sub(m, StopGradient(m)), value)
}
