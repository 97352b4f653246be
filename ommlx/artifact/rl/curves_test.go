package rl

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// handMade returns a row with a result of 1,000 steps whose runs have these values, evaluated every 500 steps from 0
// on. A run diverges at its first NaN.
func handMade(runs ...[]float64) row {
	r := of(Experiment{Environment: "E"}.WithSteps(1_000), make([]float64, len(runs))...)
	var histories [][]train.Point
	for i, values := range runs {
		var history []train.Point
		for at, v := range values {
			if math.IsNaN(v) {
				r.Runs[i].Diverged = 500 * at
				break
			}
			history = append(history, train.Point{Step: 500 * at, Value: train.PerRun{v}})
		}
		histories = append(histories, history)
	}
	r.History = run.JoinHistories(histories)
	return row{label: labelSequential, protocol: PublicProtocol, experiment: r.Config, result: r}
}

func TestCurveOmitsDivergedRuns(t *testing.T) {
	with := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.9, math.NaN()}, []float64{0.3, 0.6, 0.6}))
	without := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6, 0.6}))
	require.Equal(t, 1, with.Diverged)
	require.Equal(t, without.Points, with.Points, "even before the run diverged")

	all := newCurve(handMade([]float64{0.9, math.NaN()}, []float64{0.8, 0.7, math.NaN()}))
	want := Curve{Method: labelSequential, Diverged: 2, Points: []CurvePoint{}, Blank: "diverged"}
	require.Equal(t, want, all)
}

// A run with a shorter history ends the curve, because the mean over the other runs would jump.
func TestCurveEndsWithShortestHistory(t *testing.T) {
	require.Len(t, newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6})).Points, 2)
	require.Equal(t, "not run yet", newCurve(row{}).Blank)
}

// The authors' 235 runs in twelve environments are found by protocol; OMM-joint has none with κ = ½.
func TestPublicRunsAreFoundByProtocol(t *testing.T) {
	all := 0
	for _, r := range readPublicRuns() {
		require.Len(t, r.Curve, 21, r.Environment)
		require.InDelta(t, r.mean(), r.Curve[20], 1e-4, "%s %s", r.Method, r.Environment)
		all += len(r.Runs)
	}
	require.Equal(t, 235, all)
	for _, name := range gridworld.Names() {
		require.Nil(t, May(name, "omm_jnt").publicRuns())
		for method, runs := range map[string]int{"omm_seq": 8, "allo": 10} {
			e := May(name, method)
			r := e.publicRuns()
			require.NotNil(t, r, "%s %s", name, method)
			require.Equal(t, []any{method, name, e.Shift}, []any{r.Method, r.Environment, r.Shift})
			require.Len(t, r.Runs, runs)
			require.Nil(t, Paper(name, method, spectrumModes, 1).publicRuns(), "by the text")
		}
	}
}

// A smoke run writes every file, the curves end at the results, and figure 1 is drawn from the same trainings.
func TestSmokeRunDrawsCurvesAndFigures(t *testing.T) {
	lab := newTestLab(t)
	plan := planCurves(run.Smoke)
	_ = testkit.Must(run.Run(t.Context(), lab, plan[0].experiment))
	lab.KeptOnly = true
	part := made[CurvesData](t, lab, Curves())
	require.Equal(t, "not run yet", part.Environments[0].Curves[2].Blank)

	lab.KeptOnly = false
	d := made[CurvesData](t, lab, Curves())
	for i, row := range plan {
		env := d.Environments[i/3]
		r := papertest.Trained[Experiment, Run](t, lab, row.experiment)
		points := env.Curves[i%3].Points
		last := points[len(points)-1]
		require.Equal(t, env.Steps, last.Step)
		require.InDelta(t, *meanCosines(r).Mean, last.Mean, 1e-12)
	}
	lab.KeptOnly = true
	for _, figure := range []report.Exhibit{Figure1(), Figure3()} {
		_ = made[map[string]any](t, lab, figure)
	}
}

// made makes a figure under the smoke profile and reads its JSON.
func made[T any](t *testing.T, lab *run.Lab, e report.Exhibit) (data T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(papertest.Made(t, lab, e)[e.Name+".json"]), &data))
	return data
}
