package ommlx

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// overlapBatches returns the two batches for M[f], or the same batch twice.
func (b Batch) overlapBatches() (first, second *Node) {
	if len(b.Overlap) == 0 {
		return b.F, b.F
	}
	return b.Overlap[0], b.Overlap[len(b.Overlap)-1]
}

// overlap returns the mean of a moment over the batches for M[f].
func (b Batch) overlap(moment func(f *Node) *Node) *Node {
	m1, m2 := b.overlapFactors(moment)
	if m1 == m2 {
		return m1
	}
	return MulScalar(Add(m1, m2), 0.5)
}

// overlapFactors returns the two factors of M[f] M[f], one per batch, or the same node twice if there is only one
// batch.
func (b Batch) overlapFactors(moment func(f *Node) *Node) (m1, m2 *Node) {
	first, second := b.overlapBatches()
	m1 = moment(first)
	if first == second {
		return m1, m1
	}
	return m1, moment(second)
}

// ownMoment returns M[f] from one batch.
func ownMoment(f *Node) *Node { return SecondMoment(f, f) }

// ownSeqMoment returns M^seq[f] from one batch.
func ownSeqMoment(f *Node) *Node { return SeqSecondMoment(f, f) }

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

// terms lists the parts of ⟨f_i, Tf_j⟩.
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

// fromLeft returns the symmetric part of M[f,Tf] with the gradient of m + mᵀ, where moving selects m from ⟨f_i, sg
// Tf_j⟩.
func (b Batch) fromLeft(moving func(m *Node) *Node) *Node {
	m := b.detached()
	value := StopGradient(MulScalar(Add(m, swap(m)), 0.5))
	m = moving(m)
	m = Add(m, swap(m))
	return Add(Sub(m, StopGradient(m)), value)
}

// linear returns a loss or moment that is linear in T as the sum of its values for cI and for the rest of T. For cI,
// M[f,Tf] is c M[f] from one of the batches for M[f], and M[f] comes from the other.
func (b Batch) linear(loss func(Batch) *Node) *Node {
	c := b.Identity
	if c == 0 {
		return loss(b)
	}
	of := func(f, other *Node) *Node {
		return loss(Batch{F: f, TF: f, OneSided: b.OneSided, Overlap: []*Node{other}})
	}
	first, second := b.overlapBatches()
	identity := of(first, second)
	if first != second {
		identity = MulScalar(Add(identity, of(second, first)), 0.5)
	}
	identity = MulScalar(identity, c)
	if b.Identity = 0; b.TF == nil && len(b.Form) == 0 {
		return identity
	}
	return Add(loss(b), identity)
}
