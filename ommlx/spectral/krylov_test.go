package spectral

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// requireKrylovRelation checks P A Q = Q H + β u e_mᵀ with Q and u orthonormal and in the complement of the locked
// vectors, and the residuals of the Ritz pairs that follow from it.
func requireKrylovRelation(t *testing.T, s *krylov, a mat.Matrix) {
	t.Helper()
	rows := len(s.locked) + s.dim + 1
	all := mat.DenseCopyOf(s.basis.Slice(0, rows, 0, s.n))
	var gram mat.Dense
	gram.Mul(all, all.T())
	require.True(t, mat.EqualApprox(&gram, mat.NewDiagDense(rows, ones(rows)), 1e-14),
		"orthonormal to working precision")

	var qt, left, right mat.Dense
	qt.CloneFrom(all.Slice(len(s.locked), rows-1, 0, s.n))
	left.Mul(&qt, a) // (AQ)ᵀ
	for i := range len(s.locked) {
		v := all.RawRowView(i)
		for j := range s.dim {
			floats.AddScaled(left.RawRowView(j), -floats.Dot(v, left.RawRowView(j)), v)
		}
	}
	right.Mul(s.h.SliceSym(0, s.dim), &qt)
	floats.AddScaled(right.RawRowView(s.dim-1), s.beta, s.row(s.dim))
	require.True(t, mat.EqualApprox(&left, &right, 1e-13))

	require.NoError(t, s.ritz())
	var vectors, images mat.Dense
	vectors.Mul(s.rotation, &qt)
	images.Mul(s.rotation, &left)
	for i, value := range s.values {
		residual := images.RawRowView(i)
		floats.AddScaled(residual, -value, vectors.RawRowView(i))
		require.InDelta(t, norm(residual), s.residuals[i], 1e-13)
	}
}

// What the solver rests on holds while the space grows, when it restarts, and in the complement of what is locked.
func TestKrylovRelationSurvivesRestartsAndLocking(t *testing.T) {
	const n, k, limit = 1_100, 3, 8 // more states than a stripe of rotate
	rng := rand.New(rand.NewPCG(61, 0))
	values := make([]float64, n)
	for i := range values {
		values[i] = rng.Float64()
	}
	// A diagonal and a path, since a random rotation of this size takes seconds.
	a := mat.NewSymDense(n, nil)
	for i, value := range values {
		a.SetSym(i, i, value)
		a.SetSym(i, (i+1)%n, 0.3)
	}
	s := newKrylov(n, k, limit, 1, multiplyBy(a), rng)
	s.start()
	for range 2 {
		for restart := range 3 {
			for !s.complete() {
				require.NoError(t, s.extend())
				requireKrylovRelation(t, s, a)
			}
			if restart < 2 {
				s.restart(5)
			}
		}
		s.lock(2)
		for i, value := range s.locked {
			v := s.basis.RawRowView(i)
			image := make([]float64, n)
			s.apply(image, v)
			require.InDelta(t, value, floats.Dot(v, image), 1e-13, "a locked vector has its Rayleigh quotient")
		}
		s.start()
	}
	assert.Len(t, s.locked, k, "the largest of the four")
}

func TestKrylovSpaceOfFewEigenvaluesIsInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 0))
	const n = 30
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i%3) - 1
	}
	s := newKrylov(n, 1, n, 1, multiplyBy(symmetric(randomOrthogonal(rng, n), values)), rng)
	s.start()
	for !s.complete() {
		require.NoError(t, s.extend())
	}
	assert.LessOrEqual(t, s.dim, 4, "a direction of each of three eigenvalues, and perhaps one of rounding")
	require.NoError(t, s.ritz())
	assert.InDelta(t, 1, s.values[0], 1e-12)
	assert.InDelta(t, -1, s.values[s.dim-1], 1e-12)
	assert.InDelta(t, 1, s.radius, 1e-12)
	assert.Less(t, s.residuals[0], 1e-12)
}
