package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// eigenfunctions returns k orthonormal functions, T applied to them with the given eigenvalues, and weights.
func eigenfunctions(t *testing.T, values ...float64) (f, tf *mat.Dense, weights []float64) {
	f, weights = basis(t, rand.New(rand.NewPCG(21, 0)), 30, len(values))
	return f, scaleColumns(f, values...), weights
}

func mixed(f, by *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Mul(f, by)
	return &out
}

func TestDiagnosisOfEigenfunctions(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, -1, 0.5)
	d, err := Diagnose(f, tf, weights)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{1, 1, 1}, d.Norms, 1e-12)
	assert.InDeltaSlice(t, []float64{3, -1, 0.5}, d.Quotients, 1e-12)
	assert.InDeltaSlice(t, []float64{0, 0, 0}, d.Residuals, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 0.5, -1}, d.Ritz, 1e-12)
	assert.InDelta(t, -2.5, d.Loss, 1e-12)
	for _, zero := range []float64{d.Cosine, d.Coupling, d.Asymmetry} {
		assert.InDelta(t, 0, zero, 1e-12)
	}
}

// Orthonormal mixtures of two eigenfunctions: the loss and the Ritz values do not notice, the coupling and the residual
// do.
func TestDiagnosisOfMixtures(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	c, s := math.Cos(0.4), math.Sin(0.4)
	turn := mat.NewDense(2, 2, []float64{c, -s, s, c})
	d, err := Diagnose(mixed(f, turn), mixed(tf, turn), weights)
	require.NoError(t, err)
	assert.InDelta(t, -4, d.Loss, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
	assert.InDelta(t, 0, d.Cosine, 1e-12)
	assert.InDelta(t, 3*c*c+s*s, d.Quotients[0], 1e-12)
	assert.InDelta(t, 2*c*s/d.Quotients[0], d.Coupling, 1e-12)
	assert.InDelta(t, 2*c*s, d.Residuals[0], 1e-12) // (3 − 1) cos sin

	// Neither orthogonal nor of norm 1.
	slant := mat.NewDense(2, 2, []float64{2, 0.5 * c, 0, 0.5 * s})
	d, err = Diagnose(mixed(f, slant), mixed(tf, slant), weights)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{2, 0.5}, d.Norms, 1e-12)
	assert.InDelta(t, c, d.Cosine, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
}

func TestDiagnosisOfWhatCannotBeSo(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	swap := mat.NewDense(2, 2, []float64{0, 1, -1, 0})
	d, err := Diagnose(f, mixed(f, swap), weights) // antisymmetric
	require.NoError(t, err)
	assert.InDelta(t, 2, d.Asymmetry, 1e-12)

	twice := mat.NewDense(2, 2, []float64{1, 1, 0, 0})
	d, err = Diagnose(mixed(f, twice), mixed(tf, twice), weights)
	require.NoError(t, err)
	assert.InDelta(t, 1, d.Cosine, 1e-12)
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)

	nothing := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	d, err = Diagnose(mixed(f, nothing), mixed(tf, nothing), weights)
	require.NoError(t, err)
	assert.InDelta(t, 3, d.Quotients[0], 1e-12)
	assert.Zero(t, d.Norms[1])
	assert.True(t, math.IsNaN(d.Quotients[1]))
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)

	_, err = Diagnose(f, columns(tf, 0, 1), weights)
	require.ErrorContains(t, err, "one Tf for each f")
	_, err = Diagnose(nil, tf, nil)
	require.ErrorContains(t, err, "no function")
	_, err = Diagnose(f, nil, weights)
	require.ErrorContains(t, err, "no operator applied to it")
}

// TestDiagnosisOfWrongRows: one sentence names rows and weights as they were given.
func TestDiagnosisOfWrongRows(t *testing.T) {
	three, four := mat.NewDense(3, 1, []float64{1, 2, 3}), mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	for _, weights := range [][]float64{nil, {1, 1, 1}} {
		_, err := Diagnose(three, four, weights)
		require.EqualError(t, err,
			"f has 3 rows but Tf has 4; a diagnosis needs both at the same points, one row per point")
	}
	for word, weights := range map[string][]float64{
		"on 3 points but there are 2 quadrature weights": {1, 1},
		"quadrature weight 1 is -1":                      {1, -1, 1},
		"quadrature weight 2 is NaN":                     {1, 1, math.NaN()},
		"quadrature weight 0 is +Inf":                    {math.Inf(1), 1, 1},
	} {
		_, err := Diagnose(three, three, weights)
		assert.ErrorContains(t, err, word)
	}
	_, err := Diagnose(three, mat.NewDense(3, 1, []float64{1, math.NaN(), 3}), nil)
	require.EqualError(t, err, "operator applied to function 0 is NaN at point 1; all values must be finite")
}

// TestRotation makes Ritz functions of any basis of what they span: orthonormal, eigenfunctions, in order; and of
// eigenfunctions in order themselves, scaled.
func TestRotation(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1, -2)
	for _, by := range []*mat.Dense{
		mat.NewDense(3, 3, []float64{0.3, -2, 1, 1, 0.5, 0.2, -0.7, 1, 4}),
		mat.NewDense(3, 3, []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}),
	} {
		d, err := Diagnose(mixed(f, by), mixed(tf, by), weights)
		require.NoError(t, err)
		rotated, err := Diagnose(mixed(mixed(f, by), d.Rotation), mixed(mixed(tf, by), d.Rotation), weights)
		require.NoError(t, err)
		assert.True(t, mat.EqualApprox(rotated.Overlap, mat.NewDiagDense(3, []float64{1, 1, 1}), 1e-12))
		assert.True(t, mat.EqualApprox(rotated.Projected, mat.NewDiagDense(3, []float64{3, 1, -2}), 1e-12))
		assert.InDeltaSlice(t, []float64{0, 0, 0}, rotated.Residuals, 1e-12)
	}
	d, err := Diagnose(scaleColumns(f, 2, 0.5, 1), scaleColumns(tf, 2, 0.5, 1), weights)
	require.NoError(t, err)
	assert.True(t, mat.EqualApprox(d.Rotation, mat.NewDiagDense(3, []float64{0.5, 2, 1}), 1e-12))
}

// Without weights every point counts the same.
func TestDiagnosisOfSamples(t *testing.T) {
	f := mat.NewDense(4, 1, []float64{1, -1, 1, -1})
	d, err := Diagnose(f, f, nil)
	require.NoError(t, err)
	assert.Equal(t, []float64{1}, d.Norms)
	assert.InDelta(t, -1, d.Loss, 1e-15)
}
