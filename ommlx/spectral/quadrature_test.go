package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// basis returns k functions on n points that are orthonormal under random weights, and the weights.
func basis(t *testing.T, rng *rand.Rand, n, k int) (*mat.Dense, []float64) {
	t.Helper()
	weights := make([]float64, n)
	for p := range weights {
		weights[p] = 0.1 + rng.Float64()
	}
	f := columns(randomOrthogonal(rng, n), 0, k)
	f.Apply(func(p, _ int, v float64) float64 { return v / math.Sqrt(weights[p]) }, f)
	norms, err := Norms(f, weights)
	require.NoError(t, err)
	assert.InDeltaSlice(t, ones(k), norms, 1e-14)
	return f, weights
}

// scaleColumns returns f with column i times c[i].
func scaleColumns(f *mat.Dense, c ...float64) *mat.Dense {
	var scaled mat.Dense
	scaled.Mul(f, mat.NewDiagDense(len(c), c))
	return &scaled
}

func TestNormsOfAKnownMixture(t *testing.T) {
	f, weights := basis(t, rand.New(rand.NewPCG(11, 0)), 20, 3)
	const angle = 0.4
	mixture := mat.NewDense(3, 3, []float64{ // columns in the basis f
		1, math.Cos(angle), 0,
		0, math.Sin(angle), 0,
		0, 0, 1,
	})
	var g mat.Dense
	g.Mul(f, mixture)
	scaled := scaleColumns(&g, 2, -3, 1e-200)

	norms, err := Norms(scaled, weights)
	require.NoError(t, err)
	for i, want := range []float64{2, 3, 1e-200} {
		assert.InEpsilon(t, want, norms[i], 1e-13)
	}
}

func TestNormsOfZero(t *testing.T) {
	norms, err := Norms(mat.NewDense(2, 1, nil), []float64{1, 2})
	require.NoError(t, err)
	assert.Equal(t, []float64{0}, norms)
}

// TestRayleighQuotientErrsByTheSquaredSine: mixing two eigenfunctions by an angle θ gives λ cos²θ + μ sin²θ, whatever
// the scale and sign.
func TestRayleighQuotientErrsByTheSquaredSine(t *testing.T) {
	f, weights := basis(t, rand.New(rand.NewPCG(12, 0)), 20, 2)
	lambda, mu := 3.0, -0.5
	tf := scaleColumns(f, lambda, mu)
	for _, angle := range []float64{0, 0.01, 0.3, math.Pi / 2} {
		mixture := mat.NewDense(2, 2, []float64{math.Cos(angle), 0, math.Sin(angle), 1})
		var g, tg mat.Dense
		g.Mul(f, mixture)
		tg.Mul(tf, mixture)
		for _, scale := range []float64{1, -1e-180, 1e6} {
			got, err := RayleighQuotients(scaleColumns(&g, scale, scale), scaleColumns(&tg, scale, scale), weights)
			require.NoError(t, err)
			sin := math.Sin(angle) * math.Sin(angle)
			assert.InDelta(t, lambda+(mu-lambda)*sin, got[0], 1e-13)
			assert.InDelta(t, mu, got[1], 1e-13)
		}
	}
}

func TestRelativeErrors(t *testing.T) {
	got, err := RelativeErrors([]float64{1.1, -0.3}, []float64{1, -0.25, 7})
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{0.1, 0.2}, got, 1e-15)

	_, err = RelativeErrors([]float64{1, 2}, []float64{1})
	assert.ErrorContains(t, err, "2 eigenvalue estimates but only 1 true")
	_, err = RelativeErrors([]float64{1}, []float64{0})
	assert.ErrorContains(t, err, "true eigenvalue 0 is 0")
	_, err = RelativeErrors([]float64{math.NaN()}, []float64{1})
	assert.ErrorContains(t, err, "estimate of eigenvalue 0 is NaN")
}

// TestMetricsRefuseBadInput: every metric says in one sentence what does not fit.
func TestMetricsRefuseBadInput(t *testing.T) {
	good, weights := basis(t, rand.New(rand.NewPCG(13, 0)), 6, 2)
	zero := mat.DenseCopyOf(good)
	zero.SetCol(1, make([]float64, 6))
	at := func(v float64) *mat.Dense {
		bad := mat.DenseCopyOf(good)
		bad.Set(4, 1, v)
		return bad
	}
	spaces := []Eigenspace{{0, 2}}
	metrics := map[string]func(f *mat.Dense, weights []float64) error{
		"norms":     func(f *mat.Dense, w []float64) error { _, err := Norms(f, w); return err },
		"quotients": func(f *mat.Dense, w []float64) error { _, err := RayleighQuotients(f, good, w); return err },
		"applied":   func(f *mat.Dense, w []float64) error { _, err := RayleighQuotients(good, f, w); return err },
		"align":     func(f *mat.Dense, w []float64) error { _, _, err := Align(good, f, w, spaces); return err },
		"truth":     func(f *mat.Dense, w []float64) error { _, _, err := Align(f, good, w, spaces); return err },
		"angles":    func(f *mat.Dense, w []float64) error { _, err := AngleDistances(good, f, w, spaces); return err },
		"subspaces": func(f *mat.Dense, w []float64) error {
			_, err := SubspaceDistances(good, f, w, spaces)
			return err
		},
	}
	for name, metric := range metrics {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, metric(good, weights))
			assert.ErrorContains(t, metric(nil, weights), "is given; give the values on the quadrature points")
			assert.ErrorContains(t, metric(&mat.Dense{}, weights), "is given; give the values on the quadrature points")
			assert.ErrorContains(t, metric(good, weights[:5]),
				"values are given on 6 points but there are 5 quadrature weights")
			for _, v := range []float64{math.NaN(), math.Inf(-1)} {
				assert.ErrorContains(t, metric(at(v), weights), "at point 4; all values must be finite")
			}
			for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
				bad := append([]float64(nil), weights...)
				bad[3] = w
				assert.ErrorContains(t, metric(good, bad), "quadrature weight 3 is")
			}
			if name == "norms" || name == "applied" {
				assert.NoError(t, metric(zero, weights))
			} else {
				assert.ErrorContains(t, metric(zero, weights), "function 1 is zero on all quadrature points")
			}
		})
	}
	_, err := RayleighQuotients(good, columns(good, 0, 1), weights)
	assert.ErrorContains(t, err, "one Tf for each f")
}
