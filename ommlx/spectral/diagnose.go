package spectral

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Diagnosis describes k learned functions f and Tf without a known truth.
type Diagnosis struct {
	Overlap   *mat.Dense // M[f] (k×k): the identity at OMM's optimum
	Projected *mat.Dense // M[f,Tf] (k×k): diagonal with the eigenvalues, if the functions are nested or k = 1
	Norms     []float64  // √M[f]_ii
	Quotients []float64  // the Rayleigh quotients M[f,Tf]_ii / M[f]_ii; NaN for a zero function
	// Residuals are ‖Tf_i − R_i f_i‖ / ‖f_i‖ with R_i the Rayleigh quotient, in the units of T's eigenvalues. A
	// self-adjoint T has an eigenvalue within that distance of R_i, if Tf is exact: the noise of a sampled Tf adds to
	// the residual.
	Residuals []float64
	// Ritz are the eigenvalues of M[f,Tf] c = θ M[f] c, descending: the best approximations in the span of the
	// functions. nil if the functions are linearly dependent.
	Ritz []float64
	// Rotation is C (k×k), whose columns are the eigenvectors c in the order of Ritz: fC are the Ritz functions,
	// orthonormal, with T(fC) = (Tf)C and the symmetric part of M[fC, T(fC)] the diagonal of Ritz. The largest entry of
	// a column is positive. nil if Ritz is.
	Rotation *mat.Dense
	Cosine   float64 // the largest |M[f]_ij| / √(M[f]_ii M[f]_jj), i ≠ j
	// Coupling is the largest |M[f,Tf]_ij + M[f,Tf]_ji| / (2√(M[f]_ii M[f]_jj)), i ≠ j, relative to the largest |R_i|.
	// A large Coupling with a small Cosine means that orthogonal functions are mixtures of eigenfunctions.
	Coupling float64
	// Asymmetry is ‖M[f,Tf] − M[f,Tf]ᵀ‖ / ‖M[f,Tf]‖: 0 for a self-adjoint operator, up to sampling noise. With few
	// functions it may miss that an operator is not self-adjoint; with one it always does.
	Asymmetry float64
	// Loss is OMM-1's, −2 tr M[f,Tf] + tr(M[f] M[f,Tf]); at its optimum it is −Σ_i Ritz_i.
	Loss float64
}

// Diagnose computes the moments of f and Tf (N×k) with the inner product of a quadrature, or of N samples if weights is
// nil, and the quantities derived from them. It returns an error if the shapes of f and tf differ, and in the cases of
// [Norms].
func Diagnose(f, tf *mat.Dense, weights []float64) (Diagnosis, error) {
	left, right, err := weighBoth(f, tf, weights)
	if err != nil {
		return Diagnosis{}, err
	}
	_, k := left.Dims()
	var m, p, product, skew mat.Dense
	m.Mul(left.T(), left)
	p.Mul(left.T(), right)
	product.Mul(&m, &p)
	skew.Sub(&p, p.T())
	d := Diagnosis{Overlap: &m, Projected: &p, Loss: mat.Trace(&product) - 2*mat.Trace(&p)}
	if size := mat.Norm(&p, 2); size > 0 {
		d.Asymmetry = mat.Norm(&skew, 2) / size
	}
	largest := 0.0
	for i := range k {
		quotient := p.At(i, i) / m.At(i, i)
		d.Norms, d.Quotients = append(d.Norms, math.Sqrt(m.At(i, i))), append(d.Quotients, quotient)
		rest := mat.Col(nil, i, right)
		floats.AddScaled(rest, -quotient, mat.Col(nil, i, left))
		d.Residuals = append(d.Residuals, floats.Norm(rest, 2)/d.Norms[i])
		largest = math.Max(largest, math.Abs(quotient)) // NaN stays: there is no Coupling of zero functions
		for j := range i {
			scale := d.Norms[i] * d.Norms[j]
			d.Cosine = math.Max(d.Cosine, math.Abs(m.At(i, j))/scale)
			d.Coupling = math.Max(d.Coupling, math.Abs(p.At(i, j)+p.At(j, i))/(2*scale))
		}
	}
	if d.Coupling > 0 {
		d.Coupling /= largest
	}
	d.Ritz, d.Rotation = ritz(&m, &p)
	return d, nil
}

// QuotientErrors returns the standard errors of the quotients E[φTφ] / E[φ²] of samples, N×k, by the delta method.
// values are the quotients.
func QuotientErrors(phi, applied *mat.Dense, values []float64) (errors []float64) {
	n, _ := phi.Dims()
	for i, value := range values {
		f, tf := mat.Col(nil, i, phi), mat.Col(nil, i, applied)
		square := floats.Dot(f, f) / float64(n)
		floats.AddScaled(tf, -value, f)
		floats.Mul(tf, f)
		errors = append(errors, stat.StdDev(tf, nil)/math.Sqrt(float64(n))/square)
	}
	return errors
}

// weighBoth returns f and Tf times the roots of the weights, which are equal if nil.
func weighBoth(f, tf *mat.Dense, weights []float64) (left, right *mat.Dense, err error) {
	if f == nil || tf == nil || f.IsEmpty() || tf.IsEmpty() {
		return nil, nil, errors.New("spectral: f or Tf is empty, want one row per point, one column per function")
	}
	n, k := f.Dims()
	if points, applied := tf.Dims(); n != points || k != applied {
		return nil, nil, fmt.Errorf("spectral: f is %d×%d and Tf is %d×%d, want equal shapes", n, k, points, applied)
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1 / float64(n)}, n)
	}
	if left, err = weigh("function", f, weights); err != nil {
		return nil, nil, err
	}
	right, err = weigh("operator applied to function", tf, weights)
	return left, right, err
}

// ritz returns [Diagnosis].Ritz and Rotation.
func ritz(overlap, projected *mat.Dense) (values []float64, rotation *mat.Dense) {
	basis, err := inverseRoot(SymmetricPart(overlap))
	if err != nil {
		return nil, nil
	}
	values, rotation, _ = eigenIn(basis, projected)
	for i := range values {
		if c := mat.Col(nil, i, rotation); -floats.Min(c) > floats.Max(c) {
			floats.Scale(-1, c)
			rotation.SetCol(i, c)
		}
	}
	return values, rotation
}

// eigenIn returns the eigenvalues of the symmetric part of BᵀAB, descending, and B times its eigenvectors. The error is
// that of [SymEigen].
func eigenIn(basis, a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	var small mat.Dense
	small.Product(basis.T(), a, basis)
	truth, err := SymEigen(SymmetricPart(&small))
	if err != nil {
		return nil, nil, err
	}
	vectors = new(mat.Dense)
	vectors.Mul(basis, truth.Vectors)
	return truth.Values, vectors, nil
}

// RitzPairs returns the eigenvalues θ of M[f,Tf] c = θ M[f] c, descending, and the vectors c, k×r, in the span of
// linearly dependent functions f too. It leaves out directions in which the variance of functions of norm 1 is at most
// negligible times the largest: r < k if there are any. Both are nil if all functions are 0.
func RitzPairs(overlap, projected mat.Matrix, negligible float64) (values []float64, vectors *mat.Dense) {
	k, _ := overlap.Dims()
	scale := make([]float64, k)
	for i := range k {
		if square := overlap.At(i, i); square > 0 {
			scale[i] = 1 / math.Sqrt(square)
		}
	}
	cosines := SymmetricPart(overlap)
	for i := range k {
		for j := range i + 1 {
			cosines.SetSym(i, j, scale[i]*scale[j]*cosines.At(i, j))
		}
	}
	own, err := SymEigen(cosines)
	if err != nil || own.Values[0] <= 0 {
		return nil, nil
	}
	rank := 0
	for rank < k && own.Values[rank] > negligible*own.Values[0] {
		rank++
	}
	basis := mat.NewDense(k, rank, nil)
	basis.Apply(func(i, j int, _ float64) float64 {
		return scale[i] * own.Vectors.At(i, j) / math.Sqrt(own.Values[j])
	}, basis)
	values, vectors, _ = eigenIn(basis, projected)
	return values, vectors
}
