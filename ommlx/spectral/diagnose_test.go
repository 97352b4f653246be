package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// eigenfunctions returns k orthonormal functions, T applied to them with the given eigenvalues, and weights.
func eigenfunctions(t *testing.T, values ...float64) (f, tf *mat.Dense, weights []float64) {
	f, weights = basis(t, rand.New(rand.NewPCG(21, 0)), 30, len(values))
	return f, scaleColumns(f, values...), weights
}

// TestDiagnosisOfMixtures: mixing two eigenfunctions orthonormally changes the coupling and the residual, but not the
// loss and the Ritz values.
func TestDiagnosisOfMixtures(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	c, s := math.Cos(0.4), math.Sin(0.4)
	turn := mat.NewDense(2, 2, []float64{c, -s, s, c})
	d := testkit.Must(Diagnose(linalg.Product(f, turn), linalg.Product(tf, turn), weights))
	assert.InDelta(t, -4, d.Loss, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
	assert.InDelta(t, 0, d.Cosine, 1e-12)
	assert.InDelta(t, 3*c*c+s*s, d.Quotients[0], 1e-12)
	assert.InDelta(t, 2*c*s/d.Quotients[0], d.Coupling, 1e-12)
	assert.InDelta(t, 2*c*s, d.Residuals[0], 1e-12) // (3 − 1) cos sin

	// Neither orthogonal nor of norm 1.
	slant := mat.NewDense(2, 2, []float64{2, 0.5 * c, 0, 0.5 * s})
	d = testkit.Must(Diagnose(linalg.Product(f, slant), linalg.Product(tf, slant), weights))
	assert.InDeltaSlice(t, []float64{2, 0.5}, d.Norms, 1e-12)
	assert.InDelta(t, c, d.Cosine, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
}

func TestDiagnosisOfInvalidFunctions(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	swap := mat.NewDense(2, 2, []float64{0, 1, -1, 0})
	d := testkit.Must(Diagnose(f, linalg.Product(f, swap), weights)) // antisymmetric
	assert.InDelta(t, 2, d.Asymmetry, 1e-12)

	twice := mat.NewDense(2, 2, []float64{1, 1, 0, 0})
	d = testkit.Must(Diagnose(linalg.Product(f, twice), linalg.Product(tf, twice), weights))
	assert.InDelta(t, 1, d.Cosine, 1e-12)
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)

	nothing := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	d = testkit.Must(Diagnose(linalg.Product(f, nothing), linalg.Product(tf, nothing), weights))
	assert.InDelta(t, 3, d.Quotients[0], 1e-12)
	assert.Zero(t, d.Norms[1])
	assert.True(t, math.IsNaN(d.Quotients[1]))
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)
}

// TestRotation: from any basis it makes Ritz functions, orthonormal eigenfunctions in order; eigenfunctions in order it
// only scales.
func TestRotation(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1, -2)
	for _, by := range []*mat.Dense{
		mat.NewDense(3, 3, []float64{0.3, -2, 1, 1, 0.5, 0.2, -0.7, 1, 4}),
		mat.NewDense(3, 3, []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}),
	} {
		d := testkit.Must(Diagnose(linalg.Product(f, by), linalg.Product(tf, by), weights))
		rotation := linalg.Product(by, d.Rotation)
		rotated := testkit.Must(Diagnose(linalg.Product(f, rotation), linalg.Product(tf, rotation), weights))
		assert.True(t, mat.EqualApprox(rotated.Overlap, mat.NewDiagDense(3, []float64{1, 1, 1}), 1e-12))
		assert.True(t, mat.EqualApprox(rotated.Projected, mat.NewDiagDense(3, []float64{3, 1, -2}), 1e-12))
		assert.InDeltaSlice(t, []float64{3, 1, -2}, rotated.Ritz, 1e-12)
		assert.InDelta(t, -2, rotated.Loss, 1e-12)
		zeros := append([]float64{rotated.Cosine, rotated.Coupling, rotated.Asymmetry}, rotated.Residuals...)
		assert.InDeltaSlice(t, make([]float64, 6), zeros, 1e-12)
	}
	d := testkit.Must(Diagnose(scaleColumns(f, 2, 0.5, 1), scaleColumns(tf, 2, 0.5, 1), weights))
	assert.True(t, mat.EqualApprox(d.Rotation, mat.NewDiagDense(3, []float64{0.5, 2, 1}), 1e-12))
}

// TestMultiplesHaveNoRitzValues, however the moments are rounded.
func TestMultiplesHaveNoRitzValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 100 {
		f := linalg.RandomGaussian(rng, 60, 3)
		for i := range 60 {
			f.Set(i, 2, 3.3*f.At(i, 0)-f.At(i, 1))
		}
		assert.Nil(t, testkit.Must(Diagnose(f, f, nil)).Ritz)
	}
}

// TestRitzPairsOfDependentFunctions are those of their span.
func TestRitzPairsOfDependentFunctions(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	by := mat.NewDense(2, 4, []float64{1, 1e-4, 0, 2, 2, 0, 0, 4}) // the third is 0, the fourth twice the first
	d := testkit.Must(Diagnose(linalg.Product(f, by), linalg.Product(tf, by), weights))
	require.Nil(t, d.Ritz)
	values, vectors := RitzPairs(d.Overlap, d.Projected, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, values, 1e-9)
	again := testkit.Must(Diagnose(linalg.Product(f, by, vectors), linalg.Product(tf, by, vectors), weights))
	assert.True(t, mat.EqualApprox(again.Overlap, mat.NewDiagDense(2, []float64{1, 1}), 1e-9))
	assert.True(t, mat.EqualApprox(again.Projected, mat.NewDiagDense(2, []float64{3, 1}), 1e-9))
	values, _ = RitzPairs(mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil), 1e-12)
	assert.Nil(t, values)
}
