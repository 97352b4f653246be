// Package verify checks the paper's theory on small matrices. It has the losses as the paper prints them ([Printed]), a
// [Loss] of V for a matrix A, ways to minimise it ([Descend], [Flow], [Minimise]), predictions ([Rates],
// [StreamingError]) and small matrix algebra on gonum. Notebooks 00, 01, 02, 03, 09 and 10 use it.
//
// V is d×k; its columns are learned. A = WΛWᵀ is d×d and symmetric, λ_1 ≥ … ≥ λ_d; W_{1:k} are the leading k columns
// of W. Wrong shapes panic, as in gonum.
//
// The tests record measurements of claims with papertest.Of, also for the corrected statement if the printed one fails.
package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Product returns the product of the factors.
func Product(factors ...mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Product(factors...)
	return &m
}

// Combine returns αA + βB.
func Combine(alpha float64, a mat.Matrix, beta float64, b mat.Matrix) *mat.Dense {
	x := Scaled(alpha, a)
	x.Add(x, Scaled(beta, b))
	return x
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

// Eye returns the identity, n×n.
func Eye(n int) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDiagDense(n, slices.Repeat([]float64{1}, n)))
}

// Gram returns VᵀV.
func Gram(v mat.Matrix) *mat.Dense { return Product(v.T(), v) }

// Columns returns a copy of columns from, …, to − 1.
func Columns(m *mat.Dense, from, to int) *mat.Dense {
	d, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, d, from, to))
}

// SingularValues returns the singular values, the largest first. It panics if a number is not finite.
func SingularValues(a mat.Matrix) []float64 {
	var svd mat.SVD
	if !finite(a) || !svd.Factorize(a, mat.SVDNone) {
		panic(fmt.Errorf("verify.SingularValues: matrix with a number that is not finite: norm %g", mat.Norm(a, 2)))
	}
	return svd.Values(nil)
}

func finite(a mat.Matrix) bool {
	norm := mat.Norm(a, 2)
	return !math.IsNaN(norm) && !math.IsInf(norm, 0)
}

// Basis returns an orthonormal basis of the span of V's columns, d×k for V d×k with k ≤ d and of full column rank.
func Basis(v *mat.Dense) *mat.Dense {
	_, k := v.Dims()
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(v)
	qr.QTo(&q)
	return Columns(&q, 0, k)
}

// Gaussian returns a matrix of independent standard normal numbers, drawn row by row.
func Gaussian(rng *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// Orthonormal returns k orthonormal columns of length d, k ≤ d, in random directions.
func Orthonormal(rng *rand.Rand, d, k int) *mat.Dense { return Basis(Gaussian(rng, d, k)) }

// Symmetric returns A = WΛWᵀ and W with the given eigenvalues and random eigenvectors, in the same order.
func Symmetric(rng *rand.Rand, eigenvalues []float64) (a, w *mat.Dense) {
	d := len(eigenvalues)
	w = Orthonormal(rng, d, d)
	return Product(w, mat.NewDiagDense(d, eigenvalues), w.T()), w
}

// Harmonic returns the spectrum 1, 1/2, …, 1/d, whose gaps 1/2, 1/6, 1/12, … are all different.
func Harmonic(d int) []float64 {
	values := make([]float64, d)
	for i := range values {
		values[i] = 1 / float64(i+1)
	}
	return values
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

// LargestSine returns the sine of the largest angle between a vector in the span of W's orthonormal columns and the
// span of V's columns. It is NaN if V is not finite.
func LargestSine(v, w *mat.Dense) float64 {
	if !finite(v) {
		return math.NaN()
	}
	q := Basis(v)
	return SingularValues(Combine(1, w, -1, Product(q, q.T(), w)))[0]
}

// PowerLaw fits y ∝ xˢ to positive numbers by least squares in the logarithms and returns s.
func PowerLaw(x, y []float64) float64 { return -DecayRate(xslices.Map(x, math.Log), y) }

// DecayRate fits y ∝ e^{−rt} to positive y by least squares in the logarithm and returns r.
func DecayRate(t, y []float64) (r float64) {
	_, slope := stat.LinearRegression(t, xslices.Map(y, math.Log), nil, false)
	return -slope
}
