package operator

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
)

// CDK is the batch of the canonical dependence kernel p(t₁,t₂)/(p(t₁)p(t₂)) of two views t₁, t₂ of one image (paper,
// Section 3.3), which acts on functions on views, with p the law of one view,
//
//	(Tf)(t₁) = E_{p(t₂)}[p(t₁,t₂)/(p(t₁)p(t₂)) f(t₂)] = E[f(t₂) | t₁].
//
// Given the embeddings of the first and the second views of B images, [R, B, k] each, the features f are these with the
// given norm. As views are exchangeable, each of the 2B is a sample of p, and f on the other view of its image one of
// Tf there:
//
//	F = [f(first); f(second)],   TF = [f(second); f(first)],   [R, 2B, k],
//	M[f] = (M[f(first)] + M[f(second)])/2,   M[f,Tf] = (M[f(first), f(second)] + M[f(second), f(first)])/2.
//
// Both are unbiased. M[f,Tf] is symmetric for every batch, so that every objective has the same gradient with OneSided
// as without, and a gradient reaches both views.
//
// What the paper leaves open. Its listing (Appendix B.2) takes "f" and "Tf", lets gradients through both, and has both
// moments from one batch; that M[f] is the mean over both views is our choice. Moments of the same images are not
// independent, and OMM has the bias of order 1/B that [ommlx.Batch] describes. With |f|² = s everywhere OMM-1's is a
// change of weights: the mean of its loss over batches is
//
//	−(2 − s/B) tr M[f,Tf] + (1 − 1/B) tr(M[f] M[f,Tf]),
//
// which is little for norm 1, and for norm √k is not unless B is much larger than k. Views of other images as Overlap
// take it away.
//
// The first eigenfunction of T is the constant, with eigenvalue 1. Here it is one of the k to be learned; the published
// code of the paper's predecessor puts it before the others as a given (set_first_mode_const in methods/nestedlora.py
// of NeuralSVD), of which the paper does not speak.
func CDK(first, second *Node, norm ommlx.FeatureNorm) ommlx.Batch {
	const where = "operator.CDK"
	requireShape(where, "the first view", "[R, B, k]", first, some, some, some)
	requireShape(where, "the second view", "that of the first", second, first.Shape().Dimensions...)
	first, second = norm.Apply(first), norm.Apply(second)
	return ommlx.Batch{
		F:  Concatenate([]*Node{first, second}, 1),
		TF: Concatenate([]*Node{second, first}, 1),
	}
}
