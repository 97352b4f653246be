package images

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Norm is the norm |f(t)| = √(Σ_i f_i(t)²) that the k features of every sample get before a loss sees them.
//
// It is no detail of the implementation: with |f(t)|² = s everywhere tr M[f] = s, where OMM's minimiser has M[f] = I
// and tr M[f] = k. For s < k the loss spends s on leading modes and may leave others empty; the order p decides how
// many (claim feature-normalisation, notebooks/09_higher_order).
type Norm string

const (
	// Unit is norm 1, the paper's for images: "we normalized features along the feature dimension before computing any
	// loss following the standard convention" (section 3.3, appendix C.3).
	Unit Norm = "1"
	// Root is norm √k, with which tr M[f] is k, as at OMM's minimiser.
	Root Norm = "√k"
	// Free leaves features as they are, as in Theorem 1 and in the paper's OMM on graphs (appendix C.3).
	Free Norm = "free"
)

// Apply returns features f [..., k] with that norm along the last axis, with gradients through the norm. A feature that
// is zero stays zero.
func (n Norm) Apply(f *Node) *Node {
	switch n {
	case Unit:
		return L2Normalize(f, -1)
	case Root:
		return MulScalar(L2Normalize(f, -1), math.Sqrt(float64(f.Shape().Dim(-1))))
	}
	return f
}
