package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// advised learns k functions and returns them with the advice as one text.
func advised(t *testing.T, op learn.Operator, k int, s learn.Settings) (*learn.Learned, string) {
	t.Helper()
	learned := mustLearn(t, op, k, s)
	return learned, fmt.Sprint(learned.Advice())
}

// TestPremisesOfPairs: pairs that are not stationary or not reversible are reported, for coordinates and for states,
// and others are not.
func TestPremisesOfPairs(t *testing.T) {
	const n, rho = 3_000, 0.9
	x, z := normal(n, 2, 1), normal(n, 2, 2)
	moved := func(turn, drift float64) *mat.Dense {
		y := mat.NewDense(n, 2, nil)
		for p := range n {
			a, b := x.At(p, 0), x.At(p, 1)
			y.SetRow(p, []float64{
				drift + rho*(math.Cos(turn)*a-math.Sin(turn)*b) + math.Sqrt(1-rho*rho)*z.At(p, 0),
				drift + rho*(math.Sin(turn)*a+math.Cos(turn)*b) + math.Sqrt(1-rho*rho)*z.At(p, 1)})
		}
		return y
	}
	// A walk on a ring of five states: forwards with this probability, else backwards, from state 0 or from a random
	// state.
	walk := func(on float64, anywhere bool) learn.Pairs {
		rng := rand.New(rand.NewPCG(1, 2))
		from, to := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
		for p := range n {
			s, step := 0, 4
			if anywhere {
				s = rng.IntN(5)
			}
			if rng.Float64() < on {
				step = 1
			}
			from.Set(p, 0, float64(s))
			to.Set(p, 0, float64((s+step)%5))
		}
		return learn.Pairs{From: from, To: to, Functions: net.Table{States: 5, Out: 2, Scale: 0.3}}
	}
	mlp := net.MLP{In: 2, Hidden: []int{4}, Out: 2}
	for advice, op := range map[string]learn.Pairs{
		"not stationary: coordinate 0":              {From: x, To: moved(0, 3), Functions: mlp},
		"not reversible: the moments of coordinate": {From: x, To: moved(math.Pi/6, 0), Functions: mlp},
		"not stationary: From and To differ":        walk(0.5, false),
		"not reversible: a fraction 0.79":           walk(0.9, true),
	} {
		_, all := advised(t, op, 2, learn.Settings{Steps: 1, Options: pureGo(t)})
		assert.Contains(t, all, advice)
	}
	for _, op := range []learn.Pairs{{From: x, To: moved(0, 0), Functions: mlp}, walk(0.5, true)} {
		_, all := advised(t, op, 2, learn.Settings{Steps: 1, Options: pureGo(t)})
		assert.NotContains(t, all, "not stationary")
		assert.NotContains(t, all, "not reversible")
	}
}

func petersen() learn.Graph {
	g := learn.Graph{Nodes: 10}
	for i := range 5 {
		g.Edges = append(g.Edges, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, (i+2)%5 + 5})
	}
	return g
}

// TestResidualsAndGaps: functions whose residuals exceed the gaps are named; converged degenerate ones are not. There
// is an eigenvalue within each residual, even if functions have nearly vanished, which amplifies float32 rounding.
func TestResidualsAndGaps(t *testing.T) {
	defaults := learn.Settings{Options: pureGo(t)}
	path, torus := learn.Graph{Nodes: 300, Edges: ringOf(0, 300)[:299]}, learn.Graph{Nodes: 108}
	for i := range 12 {
		for j := range 9 {
			torus.Edges = append(torus.Edges, [2]int{9*i + j, 9*((i+1)%12) + j}, [2]int{9*i + j, 9*i + (j+1)%9})
		}
	}
	_, advice := advised(t, path, 4, learn.Settings{Steps: 3_000, Options: defaults.Options})
	assert.Contains(t, advice, "functions 1, 2, 3, 4 are not separated")
	assert.Contains(t, advice, "value 1 is")
	_, advice = advised(t, path, 1, learn.Settings{Steps: 3, Options: defaults.Options})
	assert.Contains(t, advice, "may be off")
	assert.NotContains(t, advice, "net.Fourier", "a table has no network")
	for _, silent := range []learn.Graph{torus, petersen()} {
		_, advice = advised(t, silent, 6, defaults)
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
