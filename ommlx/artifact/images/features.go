package images

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// FeatureNorm is the norm |f(t)| = √(Σ_i f_i(t)²) that the k features of every sample get before a loss sees them.
//
// It is no detail of the implementation: with |f(t)|² = s everywhere tr M[f] = s, where OMM's minimiser has M[f] = I
// and tr M[f] = k. For s < k the loss spends s on leading modes and may leave others empty; the order p decides how
// many (claim feature-normalisation, notebooks/09_higher_order).
type FeatureNorm int

const (
	// UnitNorm is norm 1, the paper's for images: "we normalized features along the feature dimension before computing
	// any loss following the standard convention" (section 3.3, appendix C.3).
	UnitNorm FeatureNorm = iota
	// RootNorm is norm √k, the one with which tr M[f] is that of OMM's minimiser.
	RootNorm
	// FreeNorm leaves features as they are, as Theorem 1 has it and the paper's OMM on graphs (appendix C.3).
	FreeNorm
)

// String returns "norm 1", "norm √k" or "norm free".
func (n FeatureNorm) String() string {
	switch n {
	case UnitNorm:
		return "norm 1"
	case RootNorm:
		return "norm √k"
	case FreeNorm:
		return "norm free"
	}
	return fmt.Sprintf("FeatureNorm(%d)", int(n))
}

// Apply returns features f [..., k] with that norm along the last axis, with gradients through the norm. A feature that
// is zero has no direction and stays zero.
func (n FeatureNorm) Apply(f *Node) *Node {
	switch n {
	case UnitNorm:
		return L2Normalize(f, -1)
	case RootNorm:
		return MulScalar(L2Normalize(f, -1), math.Sqrt(float64(f.Shape().Dim(-1))))
	}
	return f
}
