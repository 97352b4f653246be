package spectral

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestAdvice: each symptom, alone, gets its sentence and no other; with nothing wrong nothing is said.
func TestAdvice(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 1, 0.8, 0.5)
	floats.Scale(1/floats.Sum(weights), weights)
	var err error
	f, tf, err = orthonormal(f, tf, weights)
	require.NoError(t, err)
	turn := func(angle float64) *mat.Dense {
		c, s := math.Cos(angle), math.Sin(angle)
		return mat.NewDense(3, 3, []float64{c, -s, 0, s, c, 0, 0, 0, 1})
	}
	diagonal := func(x ...float64) *mat.Dense { return mat.DenseCopyOf(mat.NewDiagDense(3, x)) }
	slant := func(cosine float64) *mat.Dense {
		return mat.NewDense(3, 3, []float64{1, cosine, 0, 0, math.Sqrt(1 - cosine*cosine), 0, 0, 0, 1})
	}
	for _, c := range []struct {
		what string
		by   *mat.Dense // of f and Tf
		also *mat.Dense // of Tf alone; nil: nothing
		said []string
	}{
		{what: "nothing", by: diagonal(1, 1, 1)},
		{what: "a large batch", by: diagonal(0.999, 1.001, 0.98)},
		{what: "the loss has no bound", by: diagonal(1, 7, 1), said: []string{"function 2 has norm 7, far above 1"}},
		{what: "k exceeds the positive eigenvalues", by: diagonal(1, 1, 0.05),
			said: []string{"function 3 has norm 0.05 and"}},
		{what: "a function is zero", by: diagonal(0, 1, 1), said: []string{"function 1 has norm 0 and"}},
		{what: "a small batch", by: diagonal(1, 0.93, 0.9), said: []string{"function 3 has norm 0.9, below 1"}},
		{what: "copies", by: slant(0.99), said: []string{"cosine of 0.99 and are nearly the same"}},
		{what: "few steps", by: slant(0.2), said: []string{"cosine of 0.2 and are not orthogonal"}},
		{what: "no nesting", by: turn(0.7), said: []string{"orthogonal functions are mixtures of eigenfunctions"}},
		{what: "not self-adjoint", by: diagonal(1, 1, 1),
			also: mat.NewDense(3, 3, []float64{0, 0.1, 0, -0.1, 0, 0, 0, 0, 0}),
			said: []string{"asymmetry of 0.2:"}},
		{what: "two at once", by: mixed(turn(0.7), diagonal(0.9, 0.9, 0.9)),
			said: []string{"function 1 has norm 0.9, below 1", "mixtures"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			applied := mixed(tf, c.by)
			if c.also != nil {
				applied.Add(applied, mixed(f, c.also))
			}
			d, err := Diagnose(mixed(f, c.by), applied, weights)
			require.NoError(t, err)
			requireSaid(t, c.said, d)
		})
	}
}

// TestAdviceOnWhatIsKnown beside the numbers: that functions are a table, which no network limits, and that T is not
// self-adjoint, which the moments of one function cannot show.
func TestAdviceOnWhatIsKnown(t *testing.T) {
	f := mat.NewDense(2, 1, []float64{1, 1})
	d, err := Diagnose(f, mat.NewDense(2, 1, []float64{2, 1}), nil)
	require.NoError(t, err)
	require.Zero(t, d.Asymmetry)
	const symptom = "function 1 has a residual of 0.33 of the largest eigenvalue, though the cosine is small: "
	requireSaid(t, []string{symptom + "the network cannot represent the eigenfunction or has not learned it, " +
		"unless Tf is a noisy sample or T is not self-adjoint; add features such as net.Fourier"}, d)
	d.Table = true
	requireSaid(t, []string{symptom + "the training is not done, " +
		"unless Tf is a noisy sample or T is not self-adjoint; train longer"}, d)
	d.NotSymmetric = "entries differ: T is not self-adjoint; give another"
	requireSaid(t, []string{d.NotSymmetric}, d)
}

// orthonormal makes f orthonormal for other weights, and keeps it eigenfunctions with the values of tf.
func orthonormal(f, tf *mat.Dense, weights []float64) (_, _ *mat.Dense, err error) {
	d, err := Diagnose(f, tf, weights)
	if err != nil {
		return nil, nil, err
	}
	return mixed(f, d.Rotation), mixed(tf, d.Rotation), nil
}

func requireSaid(t *testing.T, words []string, d Diagnosis) {
	t.Helper()
	said := d.Advice()
	require.Len(t, said, len(words), "%q", said)
	for i, word := range words {
		assert.Contains(t, said[i], word)
		assert.Contains(t, said[i], ": ", "a cause")
		assert.Contains(t, said[i], "; ", "a remedy")
	}
}

// TestAdviceOnResiduals: functions whose span T leaves are reported, though they are orthonormal and not coupled, in
// units of the eigenvalues.
func TestAdviceOnResiduals(t *testing.T) {
	all, applied, weights := eigenfunctions(t, 100, 40, 10, -80)
	floats.Scale(1/floats.Sum(weights), weights)
	all, applied, err := orthonormal(all, applied, weights)
	require.NoError(t, err)
	for angle, said := range map[float64][]string{
		0:    nil,
		0.01: nil,
		0.3:  {"function 2 has a residual"},
	} {
		// Each of two functions has a part of its own outside.
		c, s := math.Cos(angle), math.Sin(angle)
		by := mat.NewDense(4, 2, []float64{1, 0, 0, c, 0, 0, 0, s})
		d, err := Diagnose(mixed(all, by), mixed(applied, by), weights)
		require.NoError(t, err)
		requireSaid(t, said, d)
	}
}

// TestAdviceOnWeights: weights that sum to the number of samples are found from the norms; those of a quadrature, whose
// functions have norm 1, are not complained of.
func TestAdviceOnWeights(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 1, 0.8)
	floats.Scale(1/floats.Sum(weights), weights)
	f, tf, err := orthonormal(f, tf, weights)
	require.NoError(t, err)
	for _, mass := range []float64{30, 1e-3} {
		counts := floats.ScaleTo(make([]float64, len(weights)), mass, weights)
		d, err := Diagnose(f, tf, counts)
		require.NoError(t, err)
		assert.InEpsilon(t, mass, d.Mass, 1e-12)
		requireSaid(t, []string{"the sum of the weights"}, d)

		f, tf, err := orthonormal(f, tf, counts)
		require.NoError(t, err)
		d, err = Diagnose(f, tf, counts)
		require.NoError(t, err)
		requireSaid(t, nil, d)
	}
}

// TestReport has a line for each function, with the residual, and the advice below.
func TestReport(t *testing.T) {
	f, tf, weights := eigenfunctions(t, 3, 1)
	c, s := math.Cos(0.4), math.Sin(0.4)
	turn := mat.NewDense(2, 2, []float64{c, -s, s, c})
	d, err := Diagnose(mixed(f, turn), mixed(tf, turn), weights)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(d.String()), "\n")
	require.Len(t, lines, 1+2+1+len(d.Advice()))
	assert.Equal(t, []string{"i", "R_i", "Ritz", "norm", "residual"}, strings.Fields(lines[0]))
	assert.Equal(t, []string{"1", "2.6967", "3", "1.0000", "0.72"}, strings.Fields(lines[1])) // 3c² + s², 2cs
	assert.Equal(t, d.Advice(), lines[4:])

	nothing := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	d, err = Diagnose(mixed(f, nothing), mixed(tf, nothing), weights)
	require.NoError(t, err)
	assert.Equal(t, []string{"2", "NaN", "-", "0.0000", "NaN"}, strings.Fields(strings.Split(d.String(), "\n")[2]))
	assert.Empty(t, Diagnosis{}.Advice())
}
