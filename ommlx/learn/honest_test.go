package learn_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/learn"
)

// advised learns k functions and returns them with the advice as one text.
func advised(t *testing.T, op learn.Operator, k int, s learn.Settings) (*learn.Learned, string) {
	t.Helper()
	learned := mustLearn(t, op, k, s)
	return learned, fmt.Sprint(learned.Advice())
}

func petersen() learn.Graph {
	g := learn.Graph{Nodes: 10}
	for i := range 5 {
		g.Edges = append(g.Edges, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, (i+2)%5 + 5})
	}
	return g
}

// TestResidualsAndGaps: there is no advice on converged degenerate functions. There is an eigenvalue within each residual, even if functions have nearly vanished, which amplifies float32 rounding.
func TestResidualsAndGaps(t *testing.T) {
	defaults := learn.Settings{Options: pureGo(t)}
	torus := learn.Graph{Nodes: 108}
	for i := range 12 {
		for j := range 9 {
			torus.Edges = append(torus.Edges, [2]int{9*i + j, 9*((i+1)%12) + j}, [2]int{9*i + j, 9*i + (j+1)%9})
		}
	}
	for _, silent := range []learn.Graph{torus, petersen()} {
		_, advice := advised(t, silent, 6, defaults)
		assert.Equal(t, "[]", advice)
	}
	exact := slices.Concat([]float64{1}, slices.Repeat([]float64{1. / 3}, 5), slices.Repeat([]float64{-2. / 3}, 4))
	for _, k := range []int{8, 10} {
		learned, _ := advised(t, petersen(), k, defaults)
		for i, v := range learned.Values {
			nearest := min(math.Abs(v-1), math.Abs(v-1./3), math.Abs(v+2./3))
			assert.LessOrEqual(t, nearest, learned.Residuals[i])
			if b := learned.Bounds[i]; !math.IsNaN(b) {
				assert.LessOrEqual(t, math.Abs(v-exact[i]), b)
			}
		}
	}
}

// TestBoundsOfPoschlTeller: V = −20/cosh²x has the energies −16, −9, −4 and −1. Bounds enclose them and are within 300
// times the error. The fifth state is a state of the box, and the advice names it.
func TestBoundsOfPoschlTeller(t *testing.T) {
	learned, advice := levels(t, 1_600, 5, -10, 10, pöschlTeller(20))
	for i, energy := range []float64{-16, -9, -4, -1} {
		off := math.Abs(learned.Values[i] - energy)
		t.Logf("energy %d is off by %.2g, at most by %.2g", i+1, off, learned.Bounds[i])
		assert.LessOrEqual(t, off, learned.Bounds[i])
		assert.Less(t, learned.Bounds[i], 300*math.Max(off, 1e-5), "energy %d", i+1)
		assert.Less(t, learned.Bounds[i], learned.Residuals[i]/5)
	}
	assert.Contains(t, advice, "value 5 is above the lowest potential at the border of the box")
}
