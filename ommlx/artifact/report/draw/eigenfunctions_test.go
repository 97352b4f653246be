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
	dots := func(value float64) (all []recorded) {
		for _, p := range record(f).paths {
			if p.filled && same(p.color, unit.at(value)) && max(p.Size().X, p.Size().Y) < 3 {
				all = append(all, p)
			}
		}
		return all
	}
	for value, n := range map[float64]int{1: 3, -1: 1, 0: 1, 0.5: 1} { // 1: all of the first function
		assert.Len(t, dots(value), n, value)
	}
	assert.Subset(t, record(f).words(), []string{"function 1, ±1.0", "function 2, ±2.0"})

	steps := func() (right, up float64) { // from the first dot to the second, which are on a diagonal
		step := dots(1)[1].Min.Sub(dots(1)[0].Min)
		return float64(step.X), float64(step.Y)
	}
	right, up := steps()
	assert.Greater(t, math.Abs(right-up), 1.)
	f.Equal = true
	right, up = steps()
	assert.InDelta(t, right, up, 1e-6, "equal scales")

	f.Y = nil
	f.Functions = make([][]float64, 12)
	for i := range f.Functions {
		f.Functions[i] = []float64{0, 0, 0}
	}
	words := record(f).words()
	assert.Contains(t, words, "function 8")
	assert.NotContains(t, words, "function 9")
}
