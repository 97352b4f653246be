package pde

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func TestGridPoints(t *testing.T) {
	q := testkit.Must(Midpoint(2, 3))
	assert.Equal(t, []float64{-1.5, -1.5, -1.5, 1.5, 1.5, -1.5, 1.5, 1.5}, q.Points.RawMatrix().Data,
		"the last coordinate runs fastest")
	assert.Equal(t, []float64{9, 9, 9, 9}, q.Weights)
}

// The rule is exact for monomials x²ᵃy²ᵇ of degree 2n−2 and below, whose integrals on the unit disc are Gamma
// functions.
func TestDiscIsExact(t *testing.T) {
	const n, radius = 5, 3.0
	q := testkit.Must(Disc(n, 2*n, radius))
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

func TestQuadraturesRefuseNumbersOutOfRange(t *testing.T) {
	for _, c := range []struct {
		n    int
		size float64
	}{{0, 1}, {-1, 1}, {5, 0}, {5, -1}, {5, math.NaN()}, {5, math.Inf(1)}} {
		_, err := Midpoint(c.n, c.size)
		assert.ErrorContains(t, err, "midpoint rule")
		_, err = Disc(c.n, 5, c.size)
		assert.ErrorContains(t, err, "disc")
	}
	_, err := Disc(5, 0, 1)
	assert.ErrorContains(t, err, "5×0 points")
}
