// Package linalg adds to gonum: small dense matrices as expressions, with fits and the median, sparse symmetric
// matrices, and graphs and monomials of points. Wrong shapes panic, as in gonum.
package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// Product returns the product of the factors.
func Product(factors ...mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Product(factors...)
	return &m
}

// Sum returns A + B.
func Sum(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Add(a, b)
	return &m
}

// Difference returns A − B.
func Difference(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Sub(a, b)
	return &m
}

// Scaled returns αA.
func Scaled(alpha float64, a mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Scale(alpha, a)
	return &m
}

// Power returns Aⁿ, n ≥ 0, of a square matrix.
func Power(a mat.Matrix, n int) *mat.Dense {
	var m mat.Dense
	m.Pow(a, n)
	return &m
}

// IdentityMatrix returns the identity, n×n.
func IdentityMatrix(n int) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDiagDense(n, slices.Repeat([]float64{1}, n)))
}

// Gram returns VᵀV.
func Gram(v mat.Matrix) *mat.Dense { return Product(v.T(), v) }

// Tridiagonal returns the eigenvalues, ascending, of a symmetric matrix with a diagonal and the entries next to it. It
// overwrites both, and reports whether it converged (LAPACK's dsterf).
func Tridiagonal(diagonal, next []float64) (values []float64, ok bool) {
	ok = gonum.Implementation{}.Dsterf(len(diagonal), diagonal, next)
	return diagonal, ok
}

// Columns returns a copy of columns from, …, to − 1.
func Columns(m *mat.Dense, from, to int) *mat.Dense {
	d, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, d, from, to))
}

// Rows returns a copy of some rows.
func Rows(m mat.Matrix, which []int) *mat.Dense {
	_, d := m.Dims()
	some := mat.NewDense(len(which), d, nil)
	for i, row := range which {
		some.SetRow(i, mat.Row(nil, row, m))
	}
	return some
}

// IsInfinite reports whether a number is NaN or infinite.
func IsInfinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Find returns the first entry, row by row, that has a property.
func Find(m mat.Matrix, is func(v float64) bool) (i, j int, found bool) {
	rows, columns := m.Dims()
	for i := range rows {
		for j := range columns {
			if is(m.At(i, j)) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// NaNColumn returns the first column that is NaN in all rows of matrices with equally many columns, or −1.
func NaNColumn(all ...mat.Matrix) int {
	_, d := all[0].Dims()
	return slices.IndexFunc(xslices.Iota(0, d), func(j int) bool {
		return !slices.ContainsFunc(all, func(m mat.Matrix) bool {
			return slices.ContainsFunc(mat.Col(nil, j, m), func(v float64) bool { return !math.IsNaN(v) })
		})
	})
}

// Times returns the product by a square matrix, which sets dst to A src.
func Times(a mat.Matrix) func(dst, src []float64) {
	return func(dst, src []float64) {
		mat.NewVecDense(len(dst), dst).MulVec(a, mat.NewVecDense(len(src), src))
	}
}

// Images returns the products of the columns of f, by an apply that sets dst to A src.
func Images(apply func(dst, src []float64), f *mat.Dense) *mat.Dense {
	n, columns := f.Dims()
	images, image := mat.NewDense(n, columns, nil), make([]float64, n)
	for j := range columns {
		apply(image, mat.Col(nil, j, f))
		images.SetCol(j, image)
	}
	return images
}

// SingularValues returns the singular values, the largest first. It panics if a number is not finite.
func SingularValues(a mat.Matrix) []float64 {
	var svd mat.SVD
	if !finite(a) || !svd.Factorize(a, mat.SVDNone) {
		panic(fmt.Errorf("linalg.SingularValues: matrix with a number that is not finite: norm %g", mat.Norm(a, 2)))
	}
	return svd.Values(nil)
}

func finite(a mat.Matrix) bool {
	norm := mat.Norm(a, 2)
	return !math.IsNaN(norm) && !math.IsInf(norm, 0)
}

// OrthonormalBasis returns an orthonormal basis of the span of V's columns, d×k, for V d×k of full column rank, k ≤ d.
func OrthonormalBasis(v *mat.Dense) *mat.Dense {
	_, k := v.Dims()
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(v)
	qr.QTo(&q)
	return Columns(&q, 0, k)
}

// RandomGaussian returns a matrix of independent standard normal numbers, drawn row by row.
func RandomGaussian(rng *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// RandomOrthonormal returns k orthonormal columns of length d, k ≤ d, in random directions.
func RandomOrthonormal(rng *rand.Rand, d, k int) *mat.Dense {
	return OrthonormalBasis(RandomGaussian(rng, d, k))
}

// RandomSymmetric returns A = WΛWᵀ and W with the given eigenvalues and random eigenvectors, in the same order.
func RandomSymmetric(rng *rand.Rand, eigenvalues []float64) (a, w *mat.Dense) {
	d := len(eigenvalues)
	w = RandomOrthonormal(rng, d, d)
	return Product(w, mat.NewDiagDense(d, eigenvalues), w.T()), w
}

// Angles returns the angle between each column of V, d×k, and the same column of W, whose columns have length 1: in
// radians, from 0 to π/2, since signs do not count. Small angles are accurate.
func Angles(v, w *mat.Dense) []float64 {
	_, k := v.Dims()
	angles := make([]float64, k)
	for i := range angles {
		vi, wi := mat.Col(nil, i, v), mat.Col(nil, i, w)
		along := floats.Dot(vi, wi)
		floats.AddScaled(vi, -along, wi)
		angles[i] = math.Atan2(floats.Norm(vi, 2), math.Abs(along))
	}
	return angles
}

// SineOfLargestAngle returns the sine of the largest angle between a vector in the span of W's orthonormal columns and
// the span of V's columns. It is NaN if V is not finite.
func SineOfLargestAngle(v, w *mat.Dense) float64 {
	if !finite(v) {
		return math.NaN()
	}
	q := OrthonormalBasis(v)
	return SingularValues(Difference(w, Product(q, q.T(), w)))[0]
}
