package images

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

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
