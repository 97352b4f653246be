package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
)

func TestSymmetricHasItsEigenvectors(t *testing.T) {
	values := Harmonic(5)
	require.Equal(t, []float64{1, 0.5, 1. / 3, 0.25, 0.2}, values)
	a, w := Symmetric(graphtest.NewRand(1), values)
	requireSame(t, Eye(5), Gram(w), 1e-14, "orthonormal")
	requireSame(t, Product(w, mat.NewDiagDense(5, values)), Product(a, w), 1e-14, "AW = WΛ")
	skew := Gaussian(graphtest.NewRand(2), 5, 5)
	skew = Combine(1, skew, -1, skew.T())
	requireSame(t, a, SymmetricPart(Combine(1, a, 1, skew)), 1e-14, "without its antisymmetric part")
}

func TestBasisSpansTheColumns(t *testing.T) {
	v := Gaussian(graphtest.NewRand(2), 6, 3)
	q := Basis(v)
	requireSame(t, Eye(3), Gram(q), 1e-14, "orthonormal")
	requireSame(t, v, Product(q, q.T(), v), 1e-14, "the same span")
	require.InDeltaSlice(t, []float64{2, 2, 2}, SingularValues(Scaled(2, q)), 1e-14)
	require.Panics(t, func() { SingularValues(mat.NewDense(1, 1, []float64{math.NaN()})) })
}

func TestAnglesToEigenvectorsAndSpaces(t *testing.T) {
	w := Columns(Eye(4), 0, 2)
	v := mat.NewDense(4, 2, []float64{-3, 0, 0, 1, 3e-9, 0, 0, math.Sqrt(3)})
	require.InDeltaSlice(t, []float64{1e-9, math.Pi / 3}, Angles(v, w), 1e-14)
	require.InDelta(t, math.Sqrt(3)/2, LargestSine(v, w), 1e-14)
	require.InDelta(t, 1e-9, LargestSine(Columns(v, 0, 1), Columns(w, 0, 1)), 1e-15)
	v.Set(0, 0, math.Inf(1))
	require.True(t, math.IsNaN(LargestSine(v, w)))
}

func TestFitsFindTheExponent(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	require.InDelta(t, -1.5, PowerLaw(x, []float64{3, 3 * math.Pow(2, -1.5), 3 / 8., 3 * math.Pow(8, -1.5)}), 1e-14)
	require.InDelta(t, 0.5, DecayRate(x, []float64{2 * math.Exp(-0.5), 2 * math.Exp(-1), 2 * math.Exp(-2),
		2 * math.Exp(-4)}), 1e-14)
}

// StreamingError is compared with streamed samples in TestStreamedSamplesGiveTheErrorOfOjasRule.
func TestStreamingWithShortStepsHasNoRate(t *testing.T) {
	lambda := []float64{1, 0.75, 0.5}
	require.True(t, math.IsInf(StreamingError(lambda, 0, 2), 1), "2c·0.25 = 1")
	require.InDelta(t, 0.75/0.0625+0.5/0.25, PCAError(lambda, 0), 1e-12)
	two := []float64{1, 0.5}
	require.InDelta(t, PCAError(two, 1), StreamingError(two, 1, 1/0.5), 1e-12, "the best c for one pair")
}
