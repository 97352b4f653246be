package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// Differences returns the batch of a reversible transition operator P from sampled pairs (s, s') of its stationary law,
// f = f(s) and next = f(s'), [R,] B×k each, by
//
//	M[f,Pf] = M[f] − D[f],  D[f] = ½ E[(f(s) − f(s')) (f(s) − f(s'))ᵀ].
//
// Overlap is that of [Batch]; two batches of states make loss and gradient unbiased.
//
// Both ways to estimate M[f,Pf] have the same mean. The noise of M[f,Pf] from products f(s) f(s')ᵀ does not fall with
// the eigenvalue 1 − λ of the graph Laplacian, that of D[f] does: a slow function hardly differs between s and s'. What
// is left, −2 tr M[f] + tr(M[f] M[f]), has the gradient 2 (M[f] − I) f of independent factors, which vanishes with the
// error of orthonormality. The paper has the products; ALLO has the differences in its graph drawing term.
func Differences(f, next *Node, overlap ...*Node) Batch {
	d := Sub(f, next)
	return Batch{F: f, Identity: 1, Form: []Term{{Left: d, Right: MulScalar(d, -0.5)}}, Overlap: overlap}
}

// linear returns a loss that is linear in T, as a function of the batch: that of T without the part cI, and that of cI,
// in which M[f,Tf] is c M[f] from one of the batches for M[f] where M[f] is from the other.
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
	if b.Identity = 0; b.TF == nil && b.Form == nil {
		return identity
	}
	return Add(loss(b), identity)
}

// projectedOverlap returns M[f,Tf], where the part of cI is c M[f] from the batches for M[f].
func (b Batch) projectedOverlap() *Node {
	c := b.Identity
	if b.Identity = 0; c == 0 {
		return b.projected()
	}
	identity := MulScalar(b.overlap(ownMoment), c)
	if b.TF == nil && b.Form == nil {
		return identity
	}
	return Add(b.projected(), identity)
}
