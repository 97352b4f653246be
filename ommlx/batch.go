package ommlx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Batch is what an objective sees: the values of k functions on B samples, and the operator T as the sum of what TF,
// Form and Identity describe. Most batches have F and TF only. Either all arrays have a leading axis of R independent
// runs, or none has.
type Batch struct {
	// F and TF are f(x_b) and (Tf)(x_b), [R,] B×k. TF may be a one-sample estimate, such as f at a sampled successor of
	// x_b, wherever an objective is linear in TF: everywhere except in ALLO (see there) and in NeuralEF, which squares
	// and divides means of TF.
	F, TF *Node
	// Form describes T by ⟨f_i, Tf_j⟩ instead of Tf, as in the weak form of a differential operator:
	// M[f,Tf] = Σ_t M[Left_t, Right_t]. ALLO with GraphSampled needs TF itself.
	Form []Term
	// Identity is the number c of a part cI of T. OMM, Sanger and LoRA compute its c M[f] from the batches of M[f], see
	// [Differences]; all others compute it from F.
	Identity float64
	// OneSided stops the gradient through TF, or the Right of a Term. The part of the gradient of M[f,Tf] that would
	// come from ⟨f_i, T δf_j⟩ is taken from ⟨δf_j, Tf_i⟩, which has the same mean if T is self-adjoint, and M[f,Tf] is
	// made symmetric.
	//
	// A step then differentiates the values of a network only, for about half the price where Tf has derivatives in it;
	// and at an eigenfunction, where Tf_i is λ_i f_i at every sample, the gradient has no noise. Sanger is always
	// one-sided. So is the published code of NeuralSVD, which LoRA with Sequential is: in Ryu et al. 2024,
	// methods/nestedlora.py, the gradient of the operator term is −4 Tf_i for f_i and none for Tf_i. The paper does not
	// mention it; its formulas are two-sided.
	OneSided bool
	// Overlap is f on one or two further batches, [R,] B'×k, independent of F and of each other: M[f] is the mean of
	// their second moments. If it is empty, M[f] comes from F.
	//
	// The mean of M[f] M[f,Tf] over batches is not the product of the means if both factors come from the same samples:
	// loss and gradient have a bias of order 1/B. With independent factors the bias that remains is
	//
	//	OMM of order 1, Sanger  none: they are linear in M[f] and in M[f,Tf]
	//	LoRA                    none with two batches, where tr(M[f] M[f]) is tr(M₁ M₂); of order 1/B' with one
	//	OMM of higher order     of order 1/B': the powers of M[f] come from one matrix
	//	SpIN, NeuralEF          of order 1/B and 1/B': they divide by second moments
	//
	// M^seq[f] has its stop-gradients on each batch. ALLO takes two batches, for its constraint, or none.
	Overlap []*Node
}

// Term is one part of a bilinear form of k functions: in Σ_t M[Left_t, Right_t], entry (i, j) is ⟨f_i, Tf_j⟩.
//
// Column i of both is made from f_i only, linearly: ∂f_i and ∂f_i for ∫ ∂f_i ∂f_j, f_i and V f_i for ∫ V f_i f_j. The
// form must be symmetric, as it is for a self-adjoint T. Moving Left is then half of moving both, just as moving f in
// ⟨f, Tf⟩ is, and every objective keeps its rule.
type Term struct {
	Left, Right *Node // [R,] B'×k, with any number B' of samples
}

// Differences returns the batch of a reversible transition operator P from sampled pairs (s, s') of its stationary law,
// f = f(s) and next = f(s'), [R,] B×k each, by
//
//	M[f,Pf] = M[f] − D[f],  D[f] = ½ E[(f(s) − f(s')) (f(s) − f(s'))ᵀ].
//
// overlap is the Overlap of [Batch]; two batches of states make loss and gradient unbiased.
//
// This estimate of M[f,Pf] has the same mean as that from products f(s) f(s')ᵀ, whose noise does not fall with the
// eigenvalue 1 − λ of the graph Laplacian. The noise of D[f] does: a slow function hardly differs between s and s'. The
// rest of the loss, −2 tr M[f] + tr(M[f] M[f]), has the gradient 2 (M[f] − I) f of independent factors, which vanishes
// with the error of orthonormality. The paper uses products; ALLO uses differences in its graph drawing term.
func Differences(f, next *Node, overlap ...*Node) Batch {
	d := Sub(f, next)
	return Batch{F: f, Identity: 1, Form: []Term{{Left: d, Right: MulScalar(d, -0.5)}}, Overlap: overlap}
}

// Shift returns the batch of the operator T + κI: Identity grows by κ if it is not 0; otherwise TF becomes TF + κF, or
// Form gets another term. Eigenfunctions stay, every eigenvalue grows by κ.
func (b Batch) Shift(kappa float64) Batch {
	switch {
	case b.Identity != 0:
		b.Identity += kappa
	case b.TF == nil:
		b.Form = append(slices.Clone(b.Form), Term{Left: b.F, Right: MulScalar(b.F, kappa)})
	default:
		b.TF = Add(b.TF, MulScalar(b.F, kappa))
	}
	return b
}

// Moments returns M[f] and M[f,Tf], [R,] k×k, from which an objective of your own can be built. With Sequential they
// are M^seq[f] and M^seq[f,Tf]. The part cI of T comes from F.
func (b Batch) Moments(n Nesting) (overlap, projected *Node) {
	if n == Sequential {
		return b.overlap(ownSeqMoment), b.seqProjected()
	}
	return b.overlap(ownMoment), b.projected()
}

// validate reports parts that are missing or do not fit F.
func (b Batch) validate() error {
	if b.F == nil || b.TF == nil && b.Form == nil && b.Identity == 0 {
		return errors.New("a batch needs F, and TF, Form or Identity")
	}
	f := b.F.Shape()
	if rank := f.Rank(); rank != 2 && rank != 3 || !f.DType.IsFloat() {
		return fmt.Errorf("F is %s, want float and [batch, k] or [runs, batch, k]", f)
	}
	if b.TF != nil && !f.Equal(b.TF.Shape()) {
		return fmt.Errorf("TF is %s, want the shape of F, %s", b.TF.Shape(), f)
	}
	for i, t := range b.Form {
		if t.Left == nil || t.Right == nil || !t.Left.Shape().Equal(t.Right.Shape()) || !fitsSamples(t.Left, f) {
			return fmt.Errorf("term %d of Form: Left and Right must have F's shape %s, except for the samples", i, f)
		}
	}
	if n := len(b.Overlap); n > 2 {
		return fmt.Errorf("Overlap has %d batches, want at most 2", n)
	}
	for i, x := range b.Overlap {
		if x == nil || !fitsSamples(x, f) {
			return fmt.Errorf("batch %d of Overlap must differ from F, %s, only in the samples", i, f)
		}
	}
	return nil
}

// fitsSamples reports whether x has the shape f, [R,] B×k, except for B.
func fitsSamples(x *Node, f shapes.Shape) bool {
	s := x.Shape()
	if s.Rank() != f.Rank() {
		return false
	}
	s = s.Clone()
	s.Dimensions[f.Rank()-2] = f.Dim(-2)
	return s.Equal(f)
}
