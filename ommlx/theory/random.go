package theory

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Gaussian returns a matrix of independent standard normal numbers, drawn row by row.
func Gaussian(rng *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// Orthonormal returns k orthonormal columns of length d, k ≤ d, in random directions.
func Orthonormal(rng *rand.Rand, d, k int) *mat.Dense { return Basis(Gaussian(rng, d, k)) }

// Symmetric returns A = WΛWᵀ and W: a symmetric matrix with the given eigenvalues and random eigenvectors, in the same
// order.
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
