package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// overlapBatches returns the two batches for M[f], or the same batch twice.
func (b Batch) overlapBatches() (first, second *Node) {
	if len(b.Overlap) == 0 {
		return b.F, b.F
	}
	return b.Overlap[0], b.Overlap[len(b.Overlap)-1]
}

// overlap returns the mean of a moment of f and f over the batches for M[f].
func (b Batch) overlap(moment func(f, g *Node) *Node) *Node {
	m1, m2 := b.overlapFactors(moment)
	if m1 == m2 {
		return m1
	}
	return MulScalar(Add(m1, m2), 0.5)
}

// overlapFactors returns the two factors of M[f] M[f], one per batch, or the same node twice if there is only one
// batch.
func (b Batch) overlapFactors(moment func(f, g *Node) *Node) (m1, m2 *Node) {
	first, second := b.overlapBatches()
	m1 = moment(first, first)
	if first == second {
		return m1, m1
	}
	return m1, moment(second, second)
}

// product returns a second moment of the two factors of ⟨f_i, Tf_j⟩.
func (b Batch) product(moment func(left, right *Node) *Node) *Node {
	if b.identity == nil {
		return moment(b.F, b.TF)
	}
	d := Sub(b.F, b.TF)
	m := moment(d, MulScalar(d, -0.5))
	if c := *b.identity; c != 0 {
		m = Add(m, moment(b.F, MulScalar(b.F, c)))
	}
	return m
}

// projected returns M[f,Tf].
func (b Batch) projected() *Node {
	if b.OneSided {
		return b.fromLeft(func(m *Node) *Node { return m })
	}
	return b.product(SecondMoment)
}

// seqProjected returns M^seq[f,Tf].
func (b Batch) seqProjected() *Node {
	if b.OneSided {
		return b.fromLeft(func(m *Node) *Node { return TakeLowerTriangular(m, 0) })
	}
	return b.product(SeqSecondMoment)
}

// detached returns M[f, sg Tf].
func (b Batch) detached() *Node {
	return b.product(func(left, right *Node) *Node { return SecondMoment(left, StopGradient(right)) })
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

// linear returns a loss or moment that is linear in T. For a batch of Differences, where T = cI + (T − cI), it adds the
// values for the two parts. For cI, M[f,Tf] is c M[f] from one of the batches for M[f], and M[f] comes from the other.
func (b Batch) linear(loss func(Batch) *Node) *Node {
	if b.identity == nil || *b.identity == 0 {
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
	rest := b.shifted(-*b.identity)
	return Add(loss(rest), MulScalar(identity, *b.identity))
}
