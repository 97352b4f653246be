package schrodinger_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/schrodinger"
)

func TestGridPoints(t *testing.T) {
	q, err := schrodinger.Grid(2, 2, 3)
	require.NoError(t, err)
	assert.Equal(t, []float64{-1.5, -1.5, -1.5, 1.5, 1.5, -1.5, 1.5, 1.5}, q.Points.RawMatrix().Data,
		"the last coordinate runs fastest")
	assert.Equal(t, []float64{9, 9, 9, 9}, q.Weights)
}

// TestGridConverges: the error of ∫ Π e^{x_d} falls with h² in every dimension, measured by the slope.
func TestGridConverges(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		exact := math.Pow(math.E-1/math.E, float64(dim))
		var errors []float64
		for _, n := range []int{10, 20} {
			q, err := schrodinger.Grid(dim, n, 1)
			require.NoError(t, err)
			assert.InEpsilon(t, math.Pow(2, float64(dim)), floats.Sum(q.Weights), 1e-12)
			var sum float64
			for p, w := range q.Weights {
				sum += w * math.Exp(floats.Sum(q.Points.RawRowView(p)))
			}
			errors = append(errors, math.Abs(sum-exact))
		}
		assert.InDelta(t, 2, math.Log2(errors[0]/errors[1]), 0.02)
	}
}

// TestDiscIsExact: monomials x²ᵃy²ᵇ of degree 2n−2 and below, whose integrals on the unit disc are Gamma functions.
func TestDiscIsExact(t *testing.T) {
	const n, radius = 5, 3.0
	q, err := schrodinger.Disc(n, 2*n, radius)
	require.NoError(t, err)
	require.Len(t, q.Weights, 2*n*n)
	for a := range n {
		for b := range n - a {
			var sum float64
			for p, w := range q.Weights {
				x := q.Points.RawRowView(p)
				sum += w * math.Pow(x[0], float64(2*a)) * math.Pow(x[1], float64(2*b))
			}
			degree := float64(2*a + 2*b + 2)
			want := 2 * math.Pow(radius, degree) / degree *
				math.Gamma(float64(a)+0.5) * math.Gamma(float64(b)+0.5) / math.Gamma(float64(a+b)+1)
			assert.InEpsilon(t, want, sum, 1e-12, "x^%d y^%d", 2*a, 2*b)
		}
	}
}

func TestBadDiscs(t *testing.T) {
	for _, dims := range [][2]int{{0, 5}, {5, 0}, {1 << 20, 1 << 20}, {-1, -1}} {
		_, err := schrodinger.Disc(dims[0], dims[1], 1)
		assert.ErrorContains(t, err, "give at least 1 of both")
	}
	for _, radius := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := schrodinger.Disc(5, 5, radius)
		assert.ErrorContains(t, err, "give a positive, finite length")
	}
}

func TestBadGrids(t *testing.T) {
	for _, dims := range [][2]int{{0, 5}, {2, 0}, {-1, 5}} {
		_, err := schrodinger.Grid(dims[0], dims[1], 1)
		assert.ErrorContains(t, err, "give at least 1 of both")
	}
	for _, a := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := schrodinger.Grid(2, 5, a)
		assert.ErrorContains(t, err, "give a positive, finite length")
	}
	_, err := schrodinger.Grid(3, 1000, 1)
	assert.ErrorContains(t, err, "has 1e+09 points; give fewer per axis")
}
