package rl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/gridworld"
)

// The committed times are of each method in each environment, on one machine, by a build of a commit.
func TestEveryStepIsTimed(t *testing.T) {
	times, err := readStepTimes()
	require.NoError(t, err)
	require.False(t, lab.Uncommitted(times.Provenance.Commit), times.Provenance.Commit)
	for _, name := range gridworld.Names() {
		for _, b := range Bars(name) {
			e := b.Experiment
			e.Generated = false
			seconds, ok := times.of(b.Label, e)
			require.True(t, ok, "%s %s", name, b.Label)
			require.Greater(t, seconds, 1e-5)
			require.Less(t, seconds, 1.)
			for _, other := range []func(*Experiment){
				func(e *Experiment) { e.Generated = true }, func(e *Experiment) { e.Batch = 8 },
				func(e *Experiment) { e.Hidden = []int{8} }, func(e *Experiment) { e.K = 50 },
			} {
				changed := e
				other(&changed)
				_, ok := times.of(b.Label, changed)
				require.False(t, ok, "another step takes another time")
			}
		}
	}
}

// Seconds are steps times the time of a step; a method without one has no place in the picture.
func TestSecondsAreStepsTimesTheTimeOfOne(t *testing.T) {
	_, r := handMade([]float64{0.1, 0.4, 0.6})
	var bars []fig1Bar
	for _, m := range fig1Methods()[:3] {
		e := Paper("GridRoom-4", m.method, spectrumModes, 1).WithSteps(1_000)
		bars = append(bars, fig1Bar{m, e, true})
	}
	results := []*Result{r, nil, nil}
	d := newCurvesData(bars, results, StepTimes{Seconds: map[string]map[string]float64{
		"GridRoom-4": {labelSequential: 0.002}}})
	panel := d.Environments[0].panel(true)
	require.InDeltaSlice(t, []float64{0, 1, 2}, panel.Series[0].X, 1e-12)
	require.InDelta(t, 2, panel.XMax, 1e-12)
	d = newCurvesData(bars, results, StepTimes{})
	require.Contains(t, d.Environments[0].panel(true).Remarks, labelSequential+" "+noDuration)
}
