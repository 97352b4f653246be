package rl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/testkit"
)

// A Ritz step finds the modes in any basis of their span by exact pairs, and nearly so by sampled ones.
func TestRitzStepFindsTheModesInTheirSpan(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoom-4"))
	const k = 11
	rng := rand.New(rand.NewPCG(4, 1))
	mixture := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			mixture.Set(i, j, rng.NormFloat64())
		}
	}
	var mixed mat.Dense
	mixed.Mul(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, k), mixture)
	j := &Judge{world: w}
	for _, c := range []struct {
		expectation Expectation
		least       float64
	}{{Exact, 1 - 1e-9}, {Minibatch, 0.99}} {
		e := Paper("GridRoom-4", "omm_seq", k, 1).Expecting(c.expectation)
		run := testkit.Must(e.judge(j, &mixed, 1))
		assert.Less(t, run.Average, 0.9, "as they are")
		assert.Greater(t, run.Ritz.Average, c.least)
		assert.LessOrEqual(t, run.Ritz.Average, 1.)
		assert.Greater(t, run.RitzRotated.Average, c.least-0.01)
	}
}

// Functions that are dependent, or not finite, are judged as they are.
func TestNoRitzStepWithoutABasis(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridMaze-7"))
	e := tiny()
	e.Environment = "GridMaze-7"
	f := mat.NewDense(w.Grid.N(), 2, nil)
	for i := range w.Grid.N() {
		f.SetRow(i, []float64{1, 2})
	}
	for range 2 {
		run := testkit.Must(e.judge(&Judge{world: w}, f, 1))
		assert.Nil(t, run.Ritz)
		assert.NotNil(t, run.Rotated)
		f.Set(0, 1, 1/(f.At(0, 0)-1))
	}
}

// The exact law has the true modes. Of sampled pairs, the sample's own eigenfunctions are learned perfectly by
// definition, and are as far from the true modes as the data are.
func TestTheEigenfunctionsOfTheData(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoom-4"))
	j := &Judge{world: w}
	const k = 11
	e := Paper("GridRoom-4", "omm_seq", k, 1).Expecting(Exact)
	run := testkit.Must(e.judge(j, mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, k)), 1))
	for _, s := range run.scores() {
		assert.InDeltaSlice(t, slices.Repeat([]float64{1}, k), s.PerMode, 1e-9)
	}

	e = Paper("GridRoom-4", "omm_seq", k, 1)
	e.Transitions = 20_000
	pairs := testkit.Must(e.pairs(w.Grid, 1))
	d := newSample(pairs)
	truth := testkit.Must(d.truth())
	functions := d.leading(truth, k)
	run = testkit.Must(e.judge(j, functions, 1))
	assert.InDelta(t, 1, run.OfData.Average, 1e-9)
	assert.InDelta(t, run.Average, run.Data.Average, 1e-12)
	assert.InDelta(t, run.Average, run.Ritz.Average, 1e-9, "they are their own Ritz functions")
	assert.Less(t, run.Data.Average, 0.99)

	// (Tf)(s) ρ_s = Σ W f: the defining equation of an eigenfunction.
	f := d.on(functions)
	var left mat.Dense
	left.Mul(d.law, f)
	for i := range d.seen {
		for mode := range k {
			assert.InDelta(t, truth.Values[mode]*d.rho[i]*f.At(i, mode), left.At(i, mode), 1e-12)
		}
	}
}

// States that were not seen count for nothing and do not keep the others from a Ritz step; fewer of them than k have no
// k modes.
func TestSampleOfFewStates(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoom-4"))
	e := tiny()
	e.Transitions, e.Length = 20, 10
	pairs := testkit.Must(e.pairs(w.Grid, 1))
	seen := len(newSample(pairs).seen)
	require.Less(t, seen, w.Grid.N())
	for _, k := range []int{2, seen + 1} {
		e.K = k
		run := testkit.Must(e.judge(&Judge{world: w}, mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, k)), 1))
		require.Equal(t, k == 2, run.Ritz != nil && len(run.Ritz.PerMode) == 2)
		require.Equal(t, k == 2, run.Data != nil && run.OfData != nil)
	}
}
