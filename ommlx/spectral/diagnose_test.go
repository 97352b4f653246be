package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
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

// TestDiagnosisOfMixtures: mixing two eigenfunctions orthonormally changes the coupling and the residual, but not the
// loss and the Ritz values.
func TestDiagnosisOfMixtures(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	c, s := math.Cos(0.4), math.Sin(0.4)
	turn := mat.NewDense(2, 2, []float64{c, -s, s, c})
	d := testkit.Must(Diagnose(mixed(f, turn), mixed(tf, turn), weights))
	assert.InDelta(t, -4, d.Loss, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
	assert.InDelta(t, 0, d.Cosine, 1e-12)
	assert.InDelta(t, 3*c*c+s*s, d.Quotients[0], 1e-12)
	assert.InDelta(t, 2*c*s/d.Quotients[0], d.Coupling, 1e-12)
	assert.InDelta(t, 2*c*s, d.Residuals[0], 1e-12) // (3 − 1) cos sin

	// Neither orthogonal nor of norm 1.
	slant := mat.NewDense(2, 2, []float64{2, 0.5 * c, 0, 0.5 * s})
	d = testkit.Must(Diagnose(mixed(f, slant), mixed(tf, slant), weights))
	assert.InDeltaSlice(t, []float64{2, 0.5}, d.Norms, 1e-12)
	assert.InDelta(t, c, d.Cosine, 1e-12)
	assert.InDeltaSlice(t, []float64{3, 1}, d.Ritz, 1e-12)
}

func TestDiagnosisOfInvalidFunctions(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	swap := mat.NewDense(2, 2, []float64{0, 1, -1, 0})
	d := testkit.Must(Diagnose(f, mixed(f, swap), weights)) // antisymmetric
	assert.InDelta(t, 2, d.Asymmetry, 1e-12)

	twice := mat.NewDense(2, 2, []float64{1, 1, 0, 0})
	d = testkit.Must(Diagnose(mixed(f, twice), mixed(tf, twice), weights))
	assert.InDelta(t, 1, d.Cosine, 1e-12)
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)

	nothing := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	d = testkit.Must(Diagnose(mixed(f, nothing), mixed(tf, nothing), weights))
	assert.InDelta(t, 3, d.Quotients[0], 1e-12)
	assert.Zero(t, d.Norms[1])
	assert.True(t, math.IsNaN(d.Quotients[1]))
	assert.Nil(t, d.Ritz)
	assert.Nil(t, d.Rotation)
}

func TestDiagnoseRefuses(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	rows, _ := f.Dims()
	spoilt := mat.DenseCopyOf(tf)
	spoilt.Set(1, 0, math.NaN())
	for word, c := range map[string]struct{ f, tf *mat.Dense }{"Tf is 30×1": {f, columns(tf, 0, 1)}, "empty": {nil, tf},
		"Tf is 31": {f, mat.NewDense(rows+1, 2, nil)}, "NaN": {f, spoilt}} {
		_, err := Diagnose(c.f, c.tf, weights)
		require.ErrorContains(t, err, word)
	}
}

// TestRotation: from any basis it makes Ritz functions, orthonormal eigenfunctions in order; eigenfunctions in order it
// only scales.
func TestRotation(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1, -2)
	for _, by := range []*mat.Dense{
		mat.NewDense(3, 3, []float64{0.3, -2, 1, 1, 0.5, 0.2, -0.7, 1, 4}),
		mat.NewDense(3, 3, []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}),
	} {
		d := testkit.Must(Diagnose(mixed(f, by), mixed(tf, by), weights))
		rotated := testkit.Must(Diagnose(mixed(mixed(f, by), d.Rotation), mixed(mixed(tf, by), d.Rotation), weights))
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

// TestAdvice: each single symptom gets its sentence and no other; without symptoms, Advice is empty.
func TestAdvice(t *testing.T) {
	f, tf, weights := underALaw(t, 1, 0.8, 0.5)
	turn := func(angle float64) *mat.Dense {
		c, s := math.Cos(angle), math.Sin(angle)
		return mat.NewDense(3, 3, []float64{c, -s, 0, s, c, 0, 0, 0, 1})
	}
	diagonal := func(x ...float64) *mat.Dense { return mat.DenseCopyOf(mat.NewDiagDense(3, x)) }
	slant := func(cosine float64) *mat.Dense {
		return mat.NewDense(3, 3, []float64{1, cosine, 0, 0, math.Sqrt(1 - cosine*cosine), 0, 0, 0, 1})
	}
	for _, c := range []struct {
		what   string
		by     *mat.Dense // of f and Tf
		also   *mat.Dense // of Tf only; nil: nothing
		advice []string
	}{
		{what: "nothing", by: diagonal(1, 1, 1)},
		{what: "a large batch", by: diagonal(0.999, 1.001, 0.98)},
		{what: "the loss has no bound", by: diagonal(1, 7, 1), advice: []string{"norm 7"}},
		{what: "k exceeds the positive eigenvalues", by: diagonal(1, 1, 0.05),
			advice: []string{"vanished"}},
		{what: "a function is zero", by: diagonal(0, 1, 1), advice: []string{"vanished"}},
		{what: "a small batch", by: diagonal(1, 0.93, 0.9), advice: []string{"function 3 has norm 0.9"}},
		{what: "copies", by: slant(0.99), advice: []string{"same"}},
		{what: "few steps", by: slant(0.2), advice: []string{"not orthogonal"}},
		{what: "no nesting", by: turn(0.7), advice: []string{"mixtures"}},
		{what: "not self-adjoint", by: diagonal(1, 1, 1),
			also:   mat.NewDense(3, 3, []float64{0, 0.1, 0, -0.1, 0, 0, 0, 0, 0}),
			advice: []string{"asymmetry of 0.2:"}},
		{what: "two at once", by: mixed(turn(0.7), diagonal(0.9, 0.9, 0.9)),
			advice: []string{"function 1 has norm 0.9", "mixtures"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			applied := mixed(tf, c.by)
			if c.also != nil {
				applied.Add(applied, mixed(f, c.also))
			}
			d := testkit.Must(Diagnose(mixed(f, c.by), applied, weights))
			requireAdvice(t, c.advice, d)
		})
	}
}

// TestAdviceOnCallersKnowledge: the functions are a table, which no network limits, or T is not self-adjoint, which the
// moments of one function cannot show.
func TestAdviceOnCallersKnowledge(t *testing.T) {
	f := mat.NewDense(2, 1, []float64{1, 1})
	d := testkit.Must(Diagnose(f, mat.NewDense(2, 1, []float64{2, 1}), nil))
	require.Zero(t, d.Asymmetry)
	requireAdvice(t, []string{"net.Fourier"}, d)
	d.Table = true
	requireAdvice(t, []string{"train longer"}, d)
	d.NotSymmetric = "entries differ: T is not self-adjoint; give another"
	requireAdvice(t, []string{d.NotSymmetric}, d)
}

// underALaw is [eigenfunctions] with weights that sum to 1.
func underALaw(t *testing.T, values ...float64) (f, tf *mat.Dense, weights []float64) {
	f, tf, weights = eigenfunctions(t, values...)
	floats.Scale(1/floats.Sum(weights), weights)
	d := testkit.Must(Diagnose(f, tf, weights))
	return mixed(f, d.Rotation), mixed(tf, d.Rotation), weights
}

func requireAdvice(t *testing.T, words []string, d Diagnosis) {
	t.Helper()
	advice := d.Advice()
	require.Len(t, advice, len(words), "%q", advice)
	for i, word := range words {
		assert.Contains(t, advice[i], word)
		assert.Contains(t, advice[i], ": ", "a cause")
		assert.Contains(t, advice[i], "; ", "a remedy")
	}
}

// TestAdviceOnResiduals: residuals in the units of the eigenvalues reveal functions whose span T leaves, even if they
// are orthonormal and not coupled.
func TestAdviceOnResiduals(t *testing.T) {
	all, applied, weights := underALaw(t, 100, 40, 10, -80)
	for angle, advice := range map[float64][]string{
		0:    nil,
		0.01: nil,
		0.3:  {"function 2 has a residual"},
	} {
		// Each of two functions has a different part outside.
		c, s := math.Cos(angle), math.Sin(angle)
		by := mat.NewDense(4, 2, []float64{1, 0, 0, c, 0, 0, 0, s})
		d := testkit.Must(Diagnose(mixed(all, by), mixed(applied, by), weights))
		requireAdvice(t, advice, d)
	}
}
