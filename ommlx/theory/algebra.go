package theory

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Product returns the product of the factors, from left to right. Like gonum, it panics where shapes do not fit.
func Product(factors ...mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Product(factors...)
	return &m
}

// Combine returns αA + βB.
func Combine(alpha float64, a mat.Matrix, beta float64, b mat.Matrix) *mat.Dense {
	var x, y mat.Dense
	x.Scale(alpha, a)
	y.Scale(beta, b)
	x.Add(&x, &y)
	return &x
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
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// Gram returns VᵀV.
func Gram(v mat.Matrix) *mat.Dense { return Product(v.T(), v) }

// Columns returns a copy of the columns from, …, to − 1.
func Columns(m *mat.Dense, from, to int) *mat.Dense {
	d, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, d, from, to))
}

// SymmetricPart returns (A + Aᵀ)/2, as gonum's and package spectral's eigensolvers take it.
func SymmetricPart(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

// SingularValues returns the singular values, the largest first. It panics where a number is not finite.
func SingularValues(a mat.Matrix) []float64 {
	var svd mat.SVD
	if !finite(a) || !svd.Factorize(a, mat.SVDNone) {
		rows, columns := a.Dims()
		panic(fmt.Errorf("a %d×%d matrix has no singular values: not all of its numbers are finite", rows, columns))
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
