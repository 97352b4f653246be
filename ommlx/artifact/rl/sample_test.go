package rl

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/gridworld"
)

// The exact law has the true modes. Of sampled pairs, the sample's own eigenfunctions are learned perfectly by
// definition, and are as far from the true modes as the data are.
func TestTheEigenfunctionsOfTheData(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	j := &Judge{world: w}
	const k = 11
	e := Paper("GridRoom-4", "omm_seq", k, 1).Expecting(Exact)
	run, err := e.judge(j, mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, k)), 1)
	require.NoError(t, err)
	for _, s := range run.scores() {
		assert.InDeltaSlice(t, slices.Repeat([]float64{1}, k), s.PerMode, 1e-9)
	}

	e = Paper("GridRoom-4", "omm_seq", k, 1)
	e.Transitions = 20_000
	pairs, err := e.pairs(w.Grid, 1)
	require.NoError(t, err)
	d := newSample(pairs)
	truth, err := d.truth()
	require.NoError(t, err)
	functions := d.leading(truth, k)
	run, err = e.judge(j, functions, 1)
	require.NoError(t, err)
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

// States that were not seen count for nothing; fewer of them than k have no k modes.
func TestSampleOfFewStates(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	e := tiny()
	e.K, e.Transitions, e.Length = 2, 20, 10
	pairs, err := e.pairs(w.Grid, 1)
	require.NoError(t, err)
	d := newSample(pairs)
	require.Less(t, len(d.seen), w.Grid.N())
	f := mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, 2))
	run, err := e.judge(&Judge{world: w}, f, 1)
	require.NoError(t, err)
	require.NotNil(t, run.Data)
	require.NotNil(t, run.OfData)

	e.K = len(d.seen) + 1
	run, err = e.judge(&Judge{world: w}, mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, e.K)), 1)
	require.NoError(t, err)
	require.Nil(t, run.Data)
	require.Nil(t, run.OfData)
}
