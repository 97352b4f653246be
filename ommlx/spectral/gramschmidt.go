package spectral

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// GramSchmidt returns the upper triangular C (k×k) with positive diagonal that makes the columns of fC orthonormal:
// with the Cholesky factor L of the matrix of inner products ⟨f_i, f_j⟩ = L Lᵀ it is L⁻ᵀ. Column i of fC is made from
// the first i functions, and T(fC) = (Tf)C. What Spectral Inference Networks learn becomes eigenfunctions so
// (Pfau et al. 2019).
//
// Dependent functions are an error; so is what [Norms] refuses.
func GramSchmidt(f *mat.Dense, weights []float64) (*mat.TriDense, error) {
	weighted, err := weigh("function", f, weights)
	if err != nil {
		return nil, err
	}
	var products mat.SymDense
	products.SymOuterK(1, weighted.T())
	var cholesky mat.Cholesky
	if !cholesky.Factorize(&products) {
		return nil, fmt.Errorf("the %d functions are linearly dependent on the points; they have no orthonormal basis",
			products.SymmetricDim())
	}
	var upper, inverse mat.TriDense
	cholesky.UTo(&upper)
	if err := inverse.InverseTri(&upper); err != nil {
		return nil, fmt.Errorf("the functions are nearly dependent on the points: %w", err)
	}
	return &inverse, nil
}
