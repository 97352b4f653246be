package rl

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
)

// The paper's sweep has 84 runs of ALLO, and OMM for comparison, by the paper's protocol except for the pair and the
// size of the data.
func TestSweepMatchesThePaper(t *testing.T) {
	runs := map[string]int{}
	for _, r := range planSweep(run.Paper) {
		e := r.experiment
		runs[e.Method]++
		runs[e.Environment]++
		want := Paper(e.Environment, e.Method, 50, 1)
		require.Equal(t, 5_000_000, want.Transitions)
		want.Transitions, want.Barrier, want.BarrierRate = 1_000_000, e.Barrier, e.BarrierRate
		require.Equal(t, want, e)
		if e.Method == "allo" {
			runs[e.pair().String()]++
		}
	}
	want := map[string]int{"allo": 84, "omm_seq": 3, "GridRoom-1": 29, "GridRoom-16": 29, "GridMaze-19": 29}
	for _, b := range []float64{0.5, 1, 2, 10} {
		for _, rate := range []float64{0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1} {
			want[BarrierPair{b, rate}.String()] = 3
		}
	}
	require.Equal(t, want, runs)
}

// Over several environments the mean decides, and only pairs that finished in all of them count.
func TestBestPairOverEnvironments(t *testing.T) {
	rows := slices.DeleteFunc(planSweep(run.Paper), func(r row) bool {
		e := r.experiment
		return e.Environment == "GridMaze-19" || !slices.Contains([]float64{0, 0.5, 1}, e.Barrier) ||
			!slices.Contains([]float64{0, 0.1, 1}, e.BarrierRate)
	})
	for i, average := range []float64{0.9, 0.2, 0.6, 0.5, 0.8, // the last is OMM's
		math.NaN(), 0.3, 0.5, 0.65, 0.7} {
		rows[i].result = of(rows[i].experiment, average)
		rows[i].result.Provenance.Seconds = 1800
	}
	d := newSweepData(rows)
	require.Equal(t, &BarrierPair{0.5, 0.1}, d.Environments[0].Best)
	require.Equal(t, &BarrierPair{1, 1}, d.Environments[1].Best)
	require.Equal(t, &BarrierPair{1, 1}, d.Best, "0.575 is more than 0.55 and 0.25; one pair diverged")
	require.InDelta(t, 0.7, *d.Environments[1].OMM.Average, 1e-12)
	require.InDelta(t, 0.65, d.Environments[1].Score(BarrierPair{1, 1}), 1e-12)
	require.True(t, math.IsNaN(d.Environments[1].Score(BarrierPair{0.5, 0.1})), "it diverged")
	require.Equal(t, Effort{8, 4}, d.Cost.ALLO, "OMM is not tuned")
	require.Zero(t, d.Cost.OMM)
	diverged := d.Environments[1].Cells[0]
	require.Nil(t, diverged.Average)
	require.Equal(t, 5, diverged.Diverged)
	require.Equal(t, "X ", d.drawing().Maps[1].Layout.Rows[0], "a wall marks the run that diverged")

	rows[8].result = nil // the best pair in one of the environments
	d = newSweepData(rows)
	require.Equal(t, &BarrierPair{1, 0.1}, d.Best)
	require.True(t, d.Environments[1].Cells[3].NotRun)
	require.Equal(t, 7, d.Cost.ALLO.Runs)
}

// The sweep is planned, run and written; a cell without a result is blank.
func TestSweepIsWritten(t *testing.T) {
	lab := newTestLab(t)
	d := made[SweepData](t, lab, Sweep())
	require.Len(t, d.Environments, 1)
	env := d.Environments[0]
	require.Len(t, env.Cells, 4)
	require.Len(t, d.Provenance.Trained, 5)
	for i, c := range append(env.Cells, env.OMM) {
		require.Equal(t, c.Key, d.Provenance.Trained[i].Key)
		require.NotNil(t, c.Average, c.Key)
		require.NotNil(t, c.Rotated, c.Key)
		require.Positive(t, c.Seconds)
	}
	require.Equal(t, 4, d.Cost.ALLO.Runs)
	require.Positive(t, d.Cost.ALLO.Hours)
	require.NoError(t, os.Remove(filepath.Join(lab.Root, ".omm", "results", env.Cells[0].Key+".json")))
	lab.KeptOnly = true
	d = made[SweepData](t, lab, Sweep())
	require.True(t, d.Environments[0].Cells[0].NotRun)
	require.Nil(t, d.Environments[0].Cells[0].Average)
	require.Equal(t, env.Cells[1], d.Environments[0].Cells[1])
}

// Only the whole sweep measures the claim, by the number of pairs ahead of the paper's.
func TestPrintedPairIsJudgedByTheWholeSweep(t *testing.T) {
	scores := map[BarrierPair]float64{retunedPair: 0.6}
	rows := filled(planSweep(run.Paper), func(r row) []float64 {
		return []float64{cmp.Or(scores[r.experiment.pair()], 0.5)}
	})
	ahead := func() claims.Evidence { return measured(t, "allo-sweep", Sweep(), newSweepData(rows)) }
	e := ahead()
	require.Equal(t, claims.Done, e.Outcome)
	require.InDelta(t, 0, e.Measured[0].Value, 0)
	for i := range 3 {
		r := &rows[i*len(rows)/3]
		r.result = of(r.experiment, 0.7)
	}
	require.InDelta(t, 1, ahead().Measured[0].Value, 0)
	for i, lead := range []float64{0.3, -0.1, 0.1} {
		r := &rows[i*len(rows)/3]
		r.result = of(r.experiment, 0.6+lead)
	}
	require.True(t, ahead().Measured[0].Open, "0.1 ± 0.5 on average")
	rows[0].result = of(rows[0].experiment, math.NaN())
	require.Equal(t, claims.Done, ahead().Outcome, "a run that diverged is a result")
	best := slices.IndexFunc(rows, func(r row) bool { return r.experiment.pair() == retunedPair })
	rows[best].result = of(rows[best].experiment, math.NaN())
	require.Contains(t, ahead().Notes[0], "26 pairs", "the paper's pair diverged in one environment")
	rows[0].result = nil
	require.Equal(t, claims.Small, ahead().Outcome)
	require.Empty(t, ahead().Measured)
}
