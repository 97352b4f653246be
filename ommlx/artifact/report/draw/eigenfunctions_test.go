package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEigenfunctions: in a plane every function has one dot per point, in the colour of its value; up to eight
// functions are drawn.
func TestEigenfunctions(t *testing.T) {
	f := Eigenfunctions{Values: []float64{1, 0.5}, Errors: []float64{math.NaN(), 0.1}, X: []float64{0, 1, 2},
		Y: []float64{3, 4, 5}, Functions: [][]float64{{1, 1, 1}, {-2, 0, 1}}}
	r := record(f)
	count := func(value float64) (n int) {
		for _, p := range r.paths {
			if p.filled && same(p.color, unit.at(value)) && max(p.Max.X-p.Min.X, p.Max.Y-p.Min.Y) < 3 {
				n++
			}
		}
		return n
	}
	assert.Equal(t, 3, count(1), "all of the first function")
	assert.Equal(t, []int{1, 1, 1}, []int{count(-1), count(0), count(0.5)})
	assert.Subset(t, r.words(), []string{"function 1, ±1.0", "function 2, ±2.0"})

	positions := func() (x, y []float64) { // of the dots of the first function, which are on a diagonal
		for _, p := range record(f).paths {
			if p.filled && same(p.color, unit.at(1)) && max(p.Max.X-p.Min.X, p.Max.Y-p.Min.Y) < 3 {
				x, y = append(x, float64(p.Min.X)), append(y, float64(p.Min.Y))
			}
		}
		return x, y
	}
	x, y := positions()
	assert.Greater(t, math.Abs(x[1]-x[0]-y[1]+y[0]), 1.)
	f.Equal = true
	x, y = positions()
	assert.InDelta(t, x[1]-x[0], y[1]-y[0], 1e-6, "equal scales")

	f.Y = nil
	f.Functions = make([][]float64, 12)
	for i := range f.Functions {
		f.Functions[i] = []float64{0, 0, 0}
	}
	words := record(f).words()
	assert.Contains(t, words, "function 8")
	assert.NotContains(t, words, "function 9")
}
