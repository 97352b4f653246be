package spectral

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Norms returns ‖f_i‖ = ⟨f_i, f_i⟩^{1/2} of each column, with the inner product of a quadrature,
//
//	⟨f, g⟩ = Σ_p w_p f(x_p) g(x_p) ≈ ∫ f(x) g(x) dx.
//
// f (N×k) holds k functions on N points, weights (N) the quadrature's weights. Like every metric on a quadrature, Norms
// returns an error if shapes do not fit, a weight is not positive and finite, or a value is not finite.
func Norms(f *mat.Dense, weights []float64) ([]float64, error) {
	weighted, err := weigh("function", f, weights)
	if err != nil {
		return nil, err
	}
	return columnNorms(weighted), nil
}

func columnNorms(f *mat.Dense) []float64 {
	_, k := f.Dims()
	norms := make([]float64, k)
	for i := range norms {
		norms[i] = mat.Norm(f.ColView(i), 2)
	}
	return norms
}

// RayleighQuotients returns the estimated eigenvalue of each function (k),
//
//	R_i = ⟨f_i, Tf_i⟩ / ⟨f_i, f_i⟩,
//
// which for self-adjoint T errs by the square of the angle between f_i and the eigenspace. f and tf are N×k, on the
// same points. It returns an error if a function is zero on all points, and in the cases of [Norms].
func RayleighQuotients(f, tf *mat.Dense, weights []float64) ([]float64, error) {
	left, right, err := weighBoth(f, tf, weights)
	if err != nil {
		return nil, err
	}
	quotients, err := normaliseColumns("function", left)
	if err != nil {
		return nil, err
	}
	for i, norm := range quotients {
		quotients[i] = mat.Dot(left.ColView(i), right.ColView(i)) / norm
	}
	return quotients, nil
}

// weigh checks f and returns a copy with row p multiplied by √w_p, which turns the quadrature's inner products into dot
// products. what names one column in errors.
func weigh(what string, f *mat.Dense, weights []float64) (*mat.Dense, error) {
	if f == nil || f.IsEmpty() {
		return nil, fmt.Errorf("%s is empty, want one row per point, one column per mode", what)
	}
	points, _ := f.Dims()
	if points != len(weights) {
		return nil, fmt.Errorf("%s has %d points, want one for each of %d weights", what, points, len(weights))
	}
	weighted := mat.DenseCopyOf(f)
	for p, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("weight %d is %v, want a positive, finite number", p, w)
		}
		root, row := math.Sqrt(w), weighted.RawRowView(p)
		for i, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s %d is %v at point %d, want a finite number", what, i, v, p)
			}
			row[i] = root * v
		}
	}
	return weighted, nil
}

// normaliseColumns scales the columns to unit length in place and returns their lengths.
func normaliseColumns(what string, f *mat.Dense) ([]float64, error) {
	norms := columnNorms(f)
	if i := slices.Index(norms, 0); i >= 0 {
		return nil, fmt.Errorf("%s %d is zero at all points", what, i)
	}
	f.Apply(func(_, i int, v float64) float64 { return v / norms[i] }, f)
	return norms, nil
}

// GramSchmidt returns the upper triangular C (k×k) with positive diagonal for which the columns of fC are orthonormal:
// L⁻ᵀ, where L is the Cholesky factor of the inner products, ⟨f_i, f_j⟩ = L Lᵀ. Column i of fC is a combination of the
// first i functions, and T(fC) = (Tf)C. It turns the functions of Spectral Inference Networks into eigenfunctions (Pfau
// et al. 2019).
//
// It returns an error if the functions are dependent, and in the cases of [Norms].
func GramSchmidt(f *mat.Dense, weights []float64) (*mat.TriDense, error) {
	weighted, err := weigh("function", f, weights)
	if err != nil {
		return nil, err
	}
	var products mat.SymDense
	products.SymOuterK(1, weighted.T())
	inverse, err := inverseRoot(&products)
	if err != nil {
		return nil, fmt.Errorf("%d functions are linearly dependent on the points: %w", products.SymmetricDim(), err)
	}
	return inverse, nil
}

// singular is the largest square of the sine of the angle between a function and the span of others that is due to
// rounding only.
const singular = 1e-14

// inverseRoot returns L⁻ᵀ for a = L Lᵀ.
func inverseRoot(a mat.Symmetric) (*mat.TriDense, error) {
	var cholesky mat.Cholesky
	if !cholesky.Factorize(a) {
		return nil, errors.New("matrix is not positive definite")
	}
	var upper, inverse mat.TriDense
	cholesky.UTo(&upper)
	for i := range a.SymmetricDim() {
		if math.Pow(upper.At(i, i), 2) <= singular*a.At(i, i) {
			return nil, errors.New("matrix is not positive definite, up to rounding")
		}
	}
	return &inverse, inverse.InverseTri(&upper)
}
