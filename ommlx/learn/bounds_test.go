package learn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/learn"
)

// TestBoundsHold: for eigenvalues that are evenly spaced, close together or far below the first, trained far too
// briefly to find all of them, no value is off by more than its bound, in 54 runs.
func TestBoundsHold(t *testing.T) {
	broken, given := 0, 0
	for _, n := range []int{30, 100, 300} {
		close := evenly(n)
		close[0], close[1], close[2] = 1.0000589, 1.0000582, 1.0000589002
		for name, d := range map[string][]float64{"evenly": evenly(n), "close": close} {
			for steps, runs := range map[int]int{30: 5, 300: 4} {
				s := learn.Settings{Steps: steps, Options: pureGo(t)}
				for seed := range runs {
					s.Seeds = append(s.Seeds, int64(seed+1))
				}
				learned := mustLearn(t, learn.Matrix{A: mat.NewDiagDense(n, d)}, 5, s)
				exact := slices.Clone(d)
				slices.Sort(exact)
				slices.Reverse(exact)
				for r, run := range learned.Runs {
					for i, v := range run.Values {
						off := math.Abs(v - exact[i])
						if given++; !(off <= run.Bounds[i]) {
							broken++
							t.Logf("%s, n = %d, %d steps, run %d: value %d is off by %.3g, bound %.3g", name,
								n, steps, r, i+1, off, run.Bounds[i])
						}
					}
				}
			}
		}
	}
	assert.Zero(t, broken, "of %d bounds", given)
}

// evenly returns 1 − i/n for i = 0 … n−1.
func evenly(n int) []float64 { return floats.Span(make([]float64, n), 1, 1/float64(n)) }
