package rl

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/gridworld"
)

// A Ritz step finds the modes in any basis of their span by exact pairs, and nearly so by sampled ones.
func TestRitzStepFindsTheModesInTheirSpan(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
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
		run, err := e.judge(j, &mixed, 1)
		require.NoError(t, err)
		assert.Less(t, run.Average, 0.9, "as they are")
		assert.Greater(t, run.Ritz.Average, c.least)
		assert.LessOrEqual(t, run.Ritz.Average, 1.)
		assert.Greater(t, run.RitzRotated.Average, c.least-0.01)
	}
}

// Functions that are dependent, or not finite, are judged as they are.
func TestNoRitzStepWithoutABasis(t *testing.T) {
	w, err := gridworld.LoadWorld("GridMaze-7")
	require.NoError(t, err)
	e := tiny()
	e.Environment = "GridMaze-7"
	f := mat.NewDense(w.Grid.N(), 2, nil)
	for i := range w.Grid.N() {
		f.SetRow(i, []float64{1, 2})
	}
	for range 2 {
		run, err := e.judge(&Judge{world: w}, f, 1)
		require.NoError(t, err)
		assert.Nil(t, run.Ritz)
		assert.NotNil(t, run.Rotated)
		f.Set(0, 1, 1/(f.At(0, 0)-1))
	}
}

// States that the data have not seen do not keep the others from a Ritz step.
func TestRitzStepOnStatesThatWereSeen(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	e := tiny()
	e.Transitions = 20
	var f mat.Dense
	f.CloneFrom(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, 2))
	run, err := e.judge(&Judge{world: w}, &f, 1)
	require.NoError(t, err)
	require.NotNil(t, run.Ritz)
	require.Len(t, run.Ritz.PerMode, 2)
}

// Every run of a result has both scores, before and after the step.
func TestResultsHaveBothScores(t *testing.T) {
	place, _ := newTestLab(t)
	r, err := lab.Run(context.Background(), place, tiny())
	require.NoError(t, err)
	for _, run := range r.Runs {
		require.NotNil(t, run.Rotated)
		require.NotNil(t, run.Ritz)
		require.NotNil(t, run.RitzRotated)
		for _, scores := range run.scores() {
			assert.Len(t, scores.PerMode, r.Config.K)
		}
	}
}
