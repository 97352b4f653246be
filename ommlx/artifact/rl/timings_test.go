package rl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/train"
)

func on(device string, cores int, seconds float64) lab.Provenance {
	return lab.Provenance{Device: device, Cores: cores, Seconds: seconds}
}

// The time of a step is that of one run: a program has the time of all of its runs.
func TestTheTimeOfAStepIsOfOneRun(t *testing.T) {
	_, r := handMade([]float64{0, 0, 0}, []float64{0, 0, 0})
	require.Empty(t, r.timings(), "nothing was measured")
	r.Provenance = on("cpu", 2, 6)
	require.Equal(t, timings{"cpu, 2 core(s)": 0.003}, r.timings())
	require.Nil(t, (*Result)(nil).timings())
	_, lost := handMade([]float64{0, math.NaN()})
	lost.Provenance = on("cpu", 2, 6)
	require.Nil(t, lost.timings(), "a method that only diverged leaves the others theirs")
}

// A run that stopped early says nothing about the time of a step, and of the others the fastest says most.
func TestTheTimeOfAStepIsOfTheFastestRun(t *testing.T) {
	_, r := handMade([]float64{0, 0, 0}, []float64{0, math.NaN()}, []float64{0, 0, 0}, []float64{0, 0, 0})
	for i, from := range []lab.Provenance{on("cpu", 2, 5), on("cpu", 2, 0.5), on("cpu", 2, 4), on("cpu", 1, 7)} {
		r.Provenance.Parts = append(r.Provenance.Parts, lab.Part{Seeds: r.Config.Seeds[i : i+1], Provenance: from})
	}
	require.Equal(t, timings{"cpu, 2 core(s)": 0.004, "cpu, 1 core(s)": 0.007}, r.timings())
}

// The time of a training that went on elsewhere is that of no machine; one by another build on the same machine is.
func TestTheTimeOfAStepIsOfOneMachine(t *testing.T) {
	_, r := handMade([]float64{0, 0, 0}, []float64{0, 0, 0})
	r.Provenance = on("cpu", 2, 6)
	r.Provenance.Sessions = []train.Session{
		{Commit: "a", Device: "cpu", Cores: 2}, {Commit: "b", Device: "cpu", Cores: 2},
	}
	require.Len(t, r.timings(), 1)
	r.Provenance.Sessions[0].Cores = 8
	require.Empty(t, r.timings())
	r.Provenance.Sessions, r.Provenance.Devices = nil, 8
	require.Equal(t, timings{"8 × cpu, 2 core(s)": 0.003}, r.timings())
}

// Methods are compared on the same machine with the same number of cores, or not at all.
func TestSecondsAreOfWhatRanEveryMethod(t *testing.T) {
	env := CurvesEnvironment{Steps: 1_000, Curves: make([]Curve, 3)}
	for i := range env.Curves {
		env.Curves[i].Points = []CurvePoint{{0, 0, nil}, {500, 0.5, nil}, {1_000, 1, nil}}
	}
	timed := func(of ...timings) {
		for i := range env.Curves {
			env.Curves[i].timings = of[i]
		}
		env.time()
	}
	timed(timings{"cpu, 1": 3, "cpu, 2": 2}, nil, timings{"cpu, 1": 5, "cpu, 2": 1, "gpu, 1": 0.1})
	require.Equal(t, "cpu, 1", env.TimedOn)
	require.InDelta(t, 3, *env.Curves[0].SecondsPerStep, 0)
	require.Nil(t, env.Curves[1].SecondsPerStep, "it has no result")
	require.InDelta(t, 5, *env.Curves[2].SecondsPerStep, 0)
	panel := env.panel(true)
	require.InDeltaSlice(t, []float64{0, 1500, 3000}, panel.Series[0].X, 1e-12)
	require.InDelta(t, 5000, panel.XMax, 1e-12)

	timed(timings{"cpu, 1": 3}, timings{"cpu, 2": 2}, timings{"cpu, 1": 3, "cpu, 2": 2})
	require.Empty(t, env.TimedOn)
	require.Equal(t, []string{noDuration}, env.panel(true).Remarks)
}
