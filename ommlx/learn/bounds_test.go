package learn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/spectral"
)

// TestBoundsHold: for eigenvalues that are evenly spaced, close together or far below the first, trained far too
// briefly to find all of them, no value is off by more than its bound, in 54 runs.
func TestBoundsHold(t *testing.T) {
	for _, n := range []int{30, 100, 300} {
		close := evenly(n)
		close[0], close[1], close[2] = 1.0000589, 1.0000582, 1.0000589002
		for name, d := range map[string][]float64{"evenly": evenly(n), "close": close} {
			exact := slices.Sorted(slices.Values(d))
			slices.Reverse(exact)
			for steps, runs := range map[int]int{30: 5, 300: 4} {
				s := learn.Settings{Steps: steps, Seeds: xslices.Iota(int64(1), runs), Options: pureGo(t)}
				for _, run := range mustLearn(t, diagonal(d...), 5, s).Runs {
					for i, v := range run.Values {
						assert.InDelta(t, exact[i], v, run.Bounds[i], "%s, n = %d, %d steps", name, n, steps)
					}
				}
			}
		}
	}
}

// TestBoundsFarBelowTheRadius: matrices whose wanted eigenvalues are 0 or far below the spectral radius, where products
// in float32 cancel. No value is off by more than its bound, and there is no advice on values within it.
func TestBoundsFarBelowTheRadius(t *testing.T) {
	hilbert := symmetric(12, func(i, j int) float64 { return 1 / float64(i+j+1) })
	rings := mat.NewSymDense(60, nil) // six of them
	for r := range 6 {
		for _, e := range ringOf(10*r, 10) {
			rings.SetSym(e[0], e[1], 1)
			rings.SetSym(e[0], e[0], -2)
		}
	}
	for name, c := range map[string]struct {
		a      *mat.SymDense
		k      int
		advice string
	}{
		"five nodes": {minusLaplacian(5), 3, ""}, "path of 100": {minusLaplacian(100), 3, ""},
		"six rings": {rings, 3, ""},
		"Hilbert":   {hilbert, 5, ""}, "small values of Hilbert": {hilbert, 8, "is at least 1.11"},
		"far below −λ_min": {mat.NewSymDense(4, []float64{1, 0, 0, 0, 0, -1e6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5}), 2,
			"is at least 0.5"},
	} {
		learned, advice := advised(t, learn.Matrix{A: c.a}, c.k, learn.Settings{})
		exact := testkit.Must(spectral.SymEigen(c.a)).Values
		radius := max(math.Abs(exact[0]), math.Abs(exact[len(exact)-1]))
		for i, v := range learned.Values {
			assert.InDelta(t, exact[i], v, learned.Bounds[i]+1e-15*radius, "%s: value %d", name, i+1)
		}
		if c.advice == "" {
			assert.Empty(t, learned.Advice(), name)
		} else {
			assert.Contains(t, advice, c.advice)
			assert.Contains(t, advice, "use a solver")
		}
	}
}

// minusLaplacian returns −L of a path.
func minusLaplacian(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n - 1 {
		a.SetSym(i, i, a.At(i, i)-1)
		a.SetSym(i+1, i+1, a.At(i+1, i+1)-1)
		a.SetSym(i, i+1, 1)
	}
	return a
}

// evenly returns 1 − i/n for i = 0 … n−1.
func evenly(n int) []float64 { return floats.Span(make([]float64, n), 1, 1/float64(n)) }

func petersen() learn.Graph {
	g := learn.Graph{Nodes: 10}
	for i := range 5 {
		g.Edges = append(g.Edges, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, (i+2)%5 + 5})
	}
	return g
}

// TestBoundsOfPoschlTeller: V = −20/cosh²x has the energies −16, −9, −4 and −1. Bounds enclose them and are within 300
// times the error. The fifth state is a state of the box, and the advice names it.
func TestBoundsOfPoschlTeller(t *testing.T) {
	testkit.XLA(t)
	well := interval(-10, 10, pöschlTeller(20))
	learned, advice := advised(t, well, 5, learn.Settings{Steps: 1_600, Batch: 192})
	for i, energy := range []float64{-16, -9, -4, -1} {
		off := math.Abs(learned.Values[i] - energy)
		t.Logf("energy %d is off by %.2g, at most by %.2g", i+1, off, learned.Bounds[i])
		assert.LessOrEqual(t, off, learned.Bounds[i])
		assert.Less(t, learned.Bounds[i], 300*math.Max(off, 1e-5), "energy %d", i+1)
		assert.Less(t, learned.Bounds[i], learned.Residuals[i]/5)
	}
	assert.Contains(t, advice, "value 5")
}
