package spectral

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// basis returns k functions on n points that are orthonormal under random weights, and the weights.
func basis(t *testing.T, rng *rand.Rand, n, k int) (*mat.Dense, []float64) {
	t.Helper()
	weights := make([]float64, n)
	for p := range weights {
		weights[p] = 0.1 + rng.Float64()
	}
	f := unweighted(linalg.RandomOrthonormal(rng, n, k), weights)
	norms := testkit.Must(Norms(f, weights))
	assert.InDeltaSlice(t, ones(k), norms, 1e-14)
	return f, weights
}

// unweighted converts orthonormal columns to functions that are orthonormal under the weights.
func unweighted(f *mat.Dense, weights []float64) *mat.Dense {
	g := mat.DenseCopyOf(f)
	g.Apply(func(p, _ int, v float64) float64 { return v / math.Sqrt(weights[p]) }, g)
	return g
}

// scaleColumns returns f with column i times c[i].
func scaleColumns(f *mat.Dense, c ...float64) *mat.Dense {
	return linalg.Product(f, mat.NewDiagDense(len(c), c))
}

// TestRayleighQuotientErrsByTheSquaredSine: mixing two eigenfunctions by an angle θ gives λ cos²θ + μ sin²θ, whatever
// the scale and sign.
func TestRayleighQuotientErrsByTheSquaredSine(t *testing.T) {
	f, weights := basis(t, rand.New(rand.NewPCG(12, 0)), 20, 2)
	lambda, mu := 3.0, -0.5
	tf := scaleColumns(f, lambda, mu)
	for _, angle := range []float64{0, 0.01, 0.3, math.Pi / 2} {
		mixture := mat.NewDense(2, 2, []float64{math.Cos(angle), 0, math.Sin(angle), 1})
		for _, scale := range []float64{1, -1e-180, 1e6} {
			by := linalg.Scaled(scale, mixture)
			got := testkit.Must(RayleighQuotients(linalg.Product(f, by), linalg.Product(tf, by), weights))
			sin := math.Sin(angle) * math.Sin(angle)
			assert.InDelta(t, lambda+(mu-lambda)*sin, got[0], 1e-13)
			assert.InDelta(t, mu, got[1], 1e-13)
		}
	}
}

func TestMetricsRefuseBadInput(t *testing.T) {
	good, weights := basis(t, rand.New(rand.NewPCG(13, 0)), 6, 2)
	spaces := []Eigenspace{{0, 2}}
	changed := func(row, column int, v float64) *mat.Dense {
		bad := mat.DenseCopyOf(good)
		bad.Set(row, column, v)
		return bad
	}
	zero := changed(0, 1, 0)
	zero.SetCol(1, make([]float64, 6))
	for name, metric := range map[string]func(f *mat.Dense, w []float64) error{
		"norms":     func(f *mat.Dense, w []float64) error { _, err := Norms(f, w); return err },
		"basis":     func(f *mat.Dense, w []float64) error { _, err := GramSchmidt(f, w); return err },
		"quotients": func(f *mat.Dense, w []float64) error { _, err := RayleighQuotients(f, good, w); return err },
		"applied":   func(f *mat.Dense, w []float64) error { _, err := RayleighQuotients(good, f, w); return err },
		"diagnosis": func(f *mat.Dense, w []float64) error { _, err := Diagnose(f, good, w); return err },
		"align":     func(f *mat.Dense, w []float64) error { _, _, err := Align(good, f, w, spaces); return err },
		"truth":     func(f *mat.Dense, w []float64) error { _, _, err := Align(f, good, w, spaces); return err },
		"angles":    func(f *mat.Dense, w []float64) error { _, err := AngleDistances(good, f, w, spaces); return err },
		"subspaces": func(f *mat.Dense, w []float64) error {
			_, err := SubspaceDistances(good, f, w, spaces)
			return err
		},
	} {
		require.NoError(t, metric(good, weights), name)
		for _, f := range []*mat.Dense{nil, {}, changed(4, 1, math.NaN()), changed(4, 1, math.Inf(-1))} {
			assert.ErrorContains(t, metric(f, weights), "function", name)
		}
		assert.ErrorContains(t, metric(good, weights[:5]), "5 weights", name)
		for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			bad := append([]float64(nil), weights...)
			bad[3] = w
			assert.ErrorContains(t, metric(good, bad), "weight 3", name)
		}
		if !slices.Contains([]string{"norms", "basis", "applied", "diagnosis"}, name) {
			assert.ErrorContains(t, metric(zero, weights), "function 1", name)
		}
	}
	_, err := RayleighQuotients(good, linalg.Columns(good, 0, 1), weights)
	assert.ErrorContains(t, err, "6×2")
	_, err = GramSchmidt(linalg.Product(good, mat.NewDense(2, 2, []float64{1, 2, 1, 2})), weights)
	assert.ErrorContains(t, err, "dependent")
}

// Gram–Schmidt undoes a triangular mixture of orthonormal functions.
func TestPropertyGramSchmidt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		_, k := l.learned.Dims()
		unit := linalg.IdentityMatrix(k)
		require.True(t, mat.EqualApprox(unit, testkit.Must(GramSchmidt(l.learned, l.weights)), 1e-12))
		mixture := mat.NewTriDense(k, mat.Upper, nil) // with a positive diagonal, so that C is its inverse
		for i := range k {
			for j := i; j < k; j++ {
				mixture.SetTri(i, j, 0.3*l.rng.NormFloat64()/math.Sqrt(float64(k)))
			}
			mixture.SetTri(i, i, 0.5+l.rng.Float64())
		}
		undone := testkit.Must(GramSchmidt(linalg.Product(l.learned, mixture), l.weights))
		require.True(t, mat.EqualApprox(unit, linalg.Product(mixture, undone), 1e-9))
	})
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }
