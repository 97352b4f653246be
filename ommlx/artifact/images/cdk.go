package images

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
)

// CDK returns the batch of the canonical dependence kernel p(t₁,t₂)/(p(t₁)p(t₂)) of two views t₁, t₂ of one image
// (paper, Section 3.3). The kernel acts on functions of views; p is the distribution of one view:
//
//	(Tf)(t₁) = E_{p(t₂)}[p(t₁,t₂)/(p(t₁)p(t₂)) f(t₂)] = E[f(t₂) | t₁].
//
// first and second are the embeddings of the two views of B images, [R, B, k] each; f is the embedding scaled to the
// given norm. Views are exchangeable, so each of the 2B views is a sample of p, and f of the other view of the same
// image is a sample of Tf:
//
//	F = [f(first); f(second)],   TF = [f(second); f(first)],   [R, 2B, k],
//	M[f] = (M[f(first)] + M[f(second)])/2,   M[f,Tf] = (M[f(first), f(second)] + M[f(second), f(first)])/2.
//
// Both are unbiased. M[f,Tf] is symmetric for every batch, so OneSided changes no objective's gradient, and a gradient
// reaches both views.
//
// The paper's listing (Appendix B.2) takes "f" and "Tf", lets gradients through both, and computes both moments from
// one batch; averaging M[f] over both views is our choice. Moments of the same images are not independent, so OMM has
// the bias of order 1/B that [ommlx.Batch] describes. If |f|² = s everywhere, the mean of OMM-1's loss over batches is
//
//	−(2 − s/B) tr M[f,Tf] + (1 − 1/B) tr(M[f] M[f,Tf]).
//
// This matters little for norm 1; for norm √k it matters unless B is much larger than k. Passing views of other images
// as Overlap removes the bias.
//
// The first eigenfunction of T is the constant, with eigenvalue 1. Here it is one of the k functions to learn; the
// published code of NeuralSVD (set_first_mode_const in methods/nestedlora.py) prepends it as known.
func CDK(first, second *Node, norm Norm) ommlx.Batch {
	first, second = norm.Apply(first), norm.Apply(second)
	return ommlx.Batch{
		F:  Concatenate([]*Node{first, second}, 1),
		TF: Concatenate([]*Node{second, first}, 1),
	}
}

// Norm is the norm |f(t)| = √(Σ_i f_i(t)²) to which the k features of each sample are scaled before the loss.
//
// The norm affects the result: if |f(t)|² = s everywhere, tr M[f] = s, whereas OMM's minimiser has M[f] = I and tr
// M[f] = k. For s < k the loss spends s on leading modes and may leave others empty; the order p decides how many
// (claim feature-normalisation, notebooks/09_higher_order).
type Norm string

const (
	// Unit is norm 1, the paper's choice for images: "we normalized features along the feature dimension before
	// computing any loss following the standard convention" (section 3.3, appendix C.3).
	Unit Norm = "1"
	// Root is norm √k, for which tr M[f] is k, as at OMM's minimiser.
	Root Norm = "√k"
	// Free leaves features unscaled, as in Theorem 1 and in the paper's OMM on graphs (appendix C.3).
	Free Norm = "free"
)

// Apply scales features f [..., k] to the norm along the last axis; gradients flow through the norm. A zero feature
// vector stays zero.
func (n Norm) Apply(f *Node) *Node {
	switch n {
	case Unit:
		return L2Normalize(f, -1)
	case Root:
		return MulScalar(L2Normalize(f, -1), math.Sqrt(float64(f.Shape().Dim(-1))))
	}
	return f
}
