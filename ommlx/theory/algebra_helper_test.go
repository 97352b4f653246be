package theory

import (
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func beside(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Augment(a, b)
	return &m
}

func inverse(t require.TestingT, m mat.Matrix) *mat.Dense {
	var inv mat.Dense
	require.NoError(t, inv.Inverse(m))
	return &inv
}

func square(x float64) float64 { return x * x }

// eigenvaluesOf returns those of the symmetric part of m, the smallest first.
func eigenvaluesOf(t require.TestingT, m *mat.Dense) []float64 {
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(SymmetricPart(m), false))
	return eigen.Values(nil)
}

// matrixDifference is ‖want − got‖ relative to 1 + ‖want‖, in the Frobenius norm.
func matrixDifference(want, got mat.Matrix) float64 {
	return mat.Norm(Combine(1, want, -1, got), 2) / (1 + mat.Norm(want, 2))
}

// requireSame compares to a tolerance relative to the largest number wanted, or to 1.
func requireSame(t require.TestingT, want, got mat.Matrix, tolerance float64, what string) {
	require.LessOrEqual(t, matrixDifference(want, got), tolerance, what)
}
