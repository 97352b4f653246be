package spectral

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
)

// TestStripesAreTheWhole: what is done stripe by stripe is the plain sum over all states, also where the last stripe is
// not full.
func TestStripesAreTheWhole(t *testing.T) {
	const rows = 3
	for _, n := range []int{5, stripe, 2*stripe + 5} {
		s := newKrylov(n, 1, rows, 1, nil, rand.New(rand.NewPCG(1, 2)))
		v := make([]float64, n)
		s.random(v)
		want, left := make([]float64, rows), append([]float64{}, v...)
		for i := range rows {
			s.random(s.row(i))
			want[i] = floats.Dot(s.row(i), v)
			floats.AddScaled(left, -want[i], s.row(i))
		}
		overlaps := s.overlaps(v, rows)
		assert.InDeltaSlice(t, want, overlaps, 1e-14)
		assert.InEpsilon(t, floats.Norm(left, 2), s.subtract(v, overlaps), 1e-13)
		assert.InDeltaSlice(t, left, v, 1e-14)
	}
}
