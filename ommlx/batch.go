package ommlx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Batch is the input of an objective: the values of k functions on B samples, and the operator T applied to them. Most
// batches have only F and TF. Either all arrays have a leading axis of R independent runs or none has.
type Batch struct {
	// F and TF are f(x_b) and (Tf)(x_b), [R,] B×k. TF may be a one-sample estimate, such as f at a sampled successor of
	// x_b, if the objective is linear in TF. All are except ALLO (see there) and NeuralEF, which squares and divides
	// means of TF. If Overlap has f, F and TF may be any two factors with M[F,TF]_ij = ⟨f_i, Tf_j⟩, as in the weak form
	// of a differential operator, except for ALLO and without a shift.
	F, TF *Node
	// OneSided stops the gradient through TF. The gradient term ⟨f_i, T δf_j⟩ is replaced by ⟨δf_j, Tf_i⟩, which has
	// the same mean if T is self-adjoint, and M[f,Tf] is symmetrised.
	//
	// A step then differentiates only the values of a network, which halves its cost if Tf contains derivatives. At an
	// eigenfunction, where Tf_i = λ_i f_i at every sample, the gradient has no noise. Sanger is always one-sided, as is
	// the published code of NeuralSVD, which is LoRA with Sequential (Ryu et al. 2024, methods/nestedlora.py). The
	// paper's formulas are two-sided.
	OneSided bool
	// Overlap is f on one or two extra batches, [R,] B'×k, independent of F and of each other. M[f] is the mean of
	// their second moments. If Overlap is empty, M[f] comes from F.
	//
	// If both factors of M[f] M[f,Tf] come from the same samples, loss and gradient have a bias of order 1/B. With
	// independent factors the remaining bias is
	//
	//	OMM of order 1, Sanger  none: they are linear in M[f] and in M[f,Tf]
	//	LoRA                    none with two batches, where tr(M[f] M[f]) is tr(M₁ M₂); of order 1/B' with one
	//	OMM of higher order     of order 1/B': the powers of M[f] come from one matrix
	//	SpIN, NeuralEF          of order 1/B and 1/B': they divide by second moments
	//
	// M^seq[f] applies its stop-gradients to each batch. ALLO takes two batches, for its constraint, or none.
	Overlap []*Node

	identity *float64 // c in the M[f,Tf] = c M[f] − D[f] of Differences; nil for other batches
}

// Differences returns a batch of a reversible transition operator P with less noise for slow functions. It takes
// sampled pairs (s, s') of the stationary law, f = f(s) and next = f(s'), [R,] B×k each, and uses
//
//	M[f,Pf] = M[f] − D[f],  D[f] = ½ E[(f(s) − f(s')) (f(s) − f(s'))ᵀ].
//
// overlap is Batch.Overlap; two batches of states make loss and gradient unbiased. OMM, Sanger and LoRA compute the
// M[f] in M[f,Pf] from these batches, the other objectives from f.
//
// This estimate of M[f,Pf] has the same mean as products f(s) f(s')ᵀ. The noise of D[f] falls with the eigenvalue 1 − λ
// of the graph Laplacian, since a slow function hardly differs between s and s'; the noise of products does not. The
// paper uses products; ALLO uses differences in its graph drawing term.
func Differences(f, next *Node, overlap ...*Node) Batch {
	c := 1.0
	return Batch{F: f, TF: next, Overlap: overlap, identity: &c}
}

// HalvedLoss is the mean of an objective's losses on both halves of a batch of pairs (s, s') of a reversible process,
// each with M[f] from the other half, so that OMM of order 1 and its gradient have no bias. F is f at both ends of
// B pairs, all s before all s', [R,] 2B×k, and TF is f at the other ends.
//
// At equal cost, halves were better than one batch or equal, and [Differences], with M[f] from two extra batches, worse
// for small λ (learn.Pairs, 50,000 pairs; five seeds each; functions after the constant; ± is the standard error of the
// change from one batch):
//
//	             error of values                    sin²                           held-out score
//	             one    halves        differences   one   halves      differences  one    halves      differences
//	AR, ρ = .99  .0051  −.0020±.0002  −.0022±.0003  .169  −.058±.004  −.065±.004   3.854  +.012±.001  +.014±.001
//	AR, ρ = .9   .0084  −.0006±.0009  −.0012±.0010  .054  −.007±.008  −.010±.005   2.974  +.023±.007  +.020±.005
//	AR, ρ = .5   .0172  +.0014±.0010  −.0002±.0002  .031  −.005±.007  +.008±.002   1.333  +.004±.003  −.000±.001
//	double well  .0110  −.0002±.0002  +.0002±.0005  .003  +.000±.000  +.000±.000   1.872  +.000±.000  −.000±.000
//	AR in 8-D    .0423  −.0014±.0015  +.0018±.0008  .339  −.022±.019  −.001±.004   2.827  +.010±.007  +.004±.002
func HalvedLoss(o Objective, b Batch, state []*Node) (loss *Node, newState []*Node) {
	one, newState := o.Loss(b.half(0), state)
	other, _ := o.Loss(b.half(1), state)
	return MulScalar(Add(one, other), 0.5), newState
}

// half returns the batch of one half of the pairs, with M[f] from the other half.
func (b Batch) half(which int) Batch {
	pairs := b.F.Shape().Dim(-2) / 2
	of := func(ends *Node, which int) *Node {
		first, last := which*(pairs/2), pairs/2+which*(pairs-pairs/2)
		at := func(end int) *Node { return SliceAxis(ends, -2, AxisRange(end*pairs+first, end*pairs+last)) }
		return Concatenate([]*Node{at(0), at(1)}, -2)
	}
	return Batch{F: of(b.F, which), TF: of(b.TF, which), Overlap: []*Node{of(b.F, 1-which)}}
}

// shifted returns the batch of T + κI.
func (b Batch) shifted(kappa float64) Batch {
	if b.identity != nil {
		c := *b.identity + kappa
		b.identity = &c
	} else {
		b.TF = Add(b.TF, MulScalar(b.F, kappa))
	}
	return b
}

// Moments returns M[f] and M[f,Tf], [R,] k×k, for custom objectives. With Sequential they are M^seq[f] and M^seq[f,Tf].
func (b Batch) Moments(n Nesting) (overlap, projected *Node) {
	return b.overlap(n.moment), b.projected(n)
}

// validate returns an error if a part is missing or does not fit F.
func (b Batch) validate() error {
	if b.F == nil || b.TF == nil {
		return errors.New("batch needs F and TF")
	}
	f := b.F.Shape()
	if rank := f.Rank(); rank != 2 && rank != 3 || !f.DType.IsFloat() {
		return fmt.Errorf("F is %s, want float [batch k] or [runs batch k]", f)
	}
	if !f.Equal(b.TF.Shape()) {
		return fmt.Errorf("TF is %s, want the shape of F, %s", b.TF.Shape(), f)
	}
	if n := len(b.Overlap); n > 2 {
		return fmt.Errorf("Overlap has %d batches, want at most 2", n)
	}
	dims := slices.Clone(f.Dimensions)
	dims[len(dims)-2] = shapes.UncheckedAxis
	for i, x := range b.Overlap {
		if x == nil || x.Shape().Check(f.DType, dims...) != nil {
			return fmt.Errorf("Overlap[%d] must have the shape of F, %s, except for the batch axis", i, f)
		}
	}
	return nil
}

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

// projected returns M[f,Tf] or, with Sequential, M^seq[f,Tf]. If the batch is one-sided, it is the symmetric part of
// M[f,Tf], with the gradient of m + mᵀ, where m is ⟨f_i, sg Tf_j⟩ or its lower triangle.
func (b Batch) projected(n Nesting) *Node {
	if !b.OneSided {
		return b.product(n.moment)
	}
	m := b.detached()
	value := StopGradient(MulScalar(Add(m, swap(m)), 0.5))
	if n == Sequential {
		m = TakeLowerTriangular(m, 0)
	}
	m = Add(m, swap(m))
	return Add(Sub(m, StopGradient(m)), value)
}

// detached returns M[f, sg Tf].
func (b Batch) detached() *Node {
	return b.product(func(left, right *Node) *Node { return SecondMoment(left, StopGradient(right)) })
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
