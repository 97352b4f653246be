package theory

import (
	"math/rand/v2"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/losstest"
)

func columns(m *mat.Dense, from, to int) *mat.Dense {
	d, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, d, from, to))
}

func beside(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Augment(a, b)
	return &m
}

func eye(n int) *mat.Dense { return graphtest.Eye(n).Matrix() }

func prod(factors ...mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Product(factors...)
	return &m
}

// combine returns αa + βb.
func combine(alpha float64, a mat.Matrix, beta float64, b mat.Matrix) *mat.Dense {
	var x, y mat.Dense
	x.Scale(alpha, a)
	y.Scale(beta, b)
	x.Add(&x, &y)
	return &x
}

func gram(v *mat.Dense) *mat.Dense { return prod(v.T(), v) }

func power(m *mat.Dense, n int) *mat.Dense {
	var p mat.Dense
	p.Pow(m, n)
	return &p
}

func inverse(t require.TestingT, m mat.Matrix) *mat.Dense {
	var inv mat.Dense
	require.NoError(t, inv.Inverse(m))
	return &inv
}

func square(x float64) float64 { return x * x }

// eigenvaluesOf returns those of the symmetric part of m, the smallest first.
func eigenvaluesOf(t require.TestingT, m *mat.Dense) []float64 {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(s, false))
	return eigen.Values(nil)
}

// orthogonal returns a d×k matrix of orthonormal columns.
func orthogonal(rng *rand.Rand, d, k int) *mat.Dense {
	_, w := losstest.Symmetric(rng, make([]float64, d))
	return columns(w, 0, k)
}

// matrixDifference is ‖want − got‖ relative to 1 + ‖want‖, in the Frobenius norm.
func matrixDifference(want, got mat.Matrix) float64 {
	return mat.Norm(combine(1, want, -1, got), 2) / (1 + mat.Norm(want, 2))
}

// requireSame compares to a tolerance relative to the largest number wanted, or to 1.
func requireSame(t require.TestingT, want, got mat.Matrix, tolerance float64, what string) {
	require.LessOrEqual(t, matrixDifference(want, got), tolerance, what)
}
