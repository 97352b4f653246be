package spectral

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// SubspaceDistances returns, for each eigenspace that one of the k learned modes belongs to, the normalised distance
//
//	d = 1 − tr(P P̂)/m ∈ [0, 1],
//
// where P projects onto the true eigenspace, P̂ onto the span of the m learned functions in its place; both projections
// are orthogonal in the quadrature's inner product. This is the mean of sin²θ over the principal angles θ: 0 where the
// learned functions lie in the true space, 1 where they are orthogonal to it, sin²θ where one of dimension 1 is turned
// out by θ. It does not see how the functions are turned, scaled or mixed within the space; functions that repeat one
// direction leave a dimension out, which counts as a right angle.
//
// Source: the normalised subspace distance of Tang 2019 (Exponentially convergent stochastic k-PCA without variance
// reduction), used per degenerate eigenspace by NeuralSVD (Ryu et al. 2024, appendix E.1; subspace_distance of its
// examples/linalg.py) and by the paper (appendix C.2). The distance of all k modes at once is that of the single space
// {0, k}.
//
// Arguments and errors are those of [Align]; where k cuts through the last space, m is less than its dimension.
func SubspaceDistances(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) ([]float64, error) {
	pair, err := newComparison(truth, learned, weights, spaces)
	if err != nil {
		return nil, err
	}
	points, k := learned.Dims()
	distances := make([]float64, len(pair.spaces))
	for i, s := range pair.spaces {
		a, err := orthonormalBasis(pair.truth.Slice(0, points, s.First, s.End))
		if err != nil {
			return nil, err
		}
		b, err := orthonormalBasis(pair.learned.Slice(0, points, s.First, min(s.End, k)))
		if err != nil {
			return nil, err
		}
		// ‖(I − P)B̂‖² rather than 1 − ‖AᵀB̂‖²/m, which would lose distances below the rounding of 1.
		var overlap, outside mat.Dense
		overlap.Mul(a.T(), b)
		outside.Mul(a, &overlap)
		outside.Sub(b, &outside)
		norm, m := mat.Norm(&outside, 2), min(s.End, k)-s.First
		_, rank := b.Dims()
		distances[i] = min(1, (norm*norm+float64(m-rank))/float64(m))
	}
	return distances, nil
}

// orthonormalBasis returns an orthonormal basis of the span of unit columns, fewer than there are columns where these
// are dependent.
func orthonormalBasis(columns mat.Matrix) (mat.Matrix, error) {
	var svd mat.SVD
	if !svd.Factorize(columns, mat.SVDThinU) {
		return nil, errors.New("the singular value decomposition for the subspace distance did not converge; " +
			"check the scale of the functions")
	}
	var u mat.Dense
	svd.UTo(&u)
	rows, _ := u.Dims()
	return u.Slice(0, rows, 0, svd.Rank(negligible)), nil
}
