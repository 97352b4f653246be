package rl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
)

// bars is an environment with one average for each of the paper's methods.
func bars(seq, joint, allo float64) Fig1Environment {
	env := Fig1Environment{Name: "E"}
	for label, mean := range map[string]float64{labelSequential: seq, labelJoint: joint, labelALLO: allo} {
		v := Fig1Value{Label: label}
		v.fill(of(Experiment{}.WithSteps(100), mean, mean))
		env.Bars = append(env.Bars, v)
	}
	return env
}

func TestFigure1IsComparedWithALLO(t *testing.T) {
	e := measured(t, "fig1-comparable", Figure1(),
		Fig1Data{Environments: []Fig1Environment{bars(0.9, 0.5, 0.8), bars(0.7, 0.7, 0.8)}})[0]
	require.Len(t, e.Measured, 2)
	require.InDelta(t, 0, e.Measured[0].Value, 1e-15, "sequential nesting")
	require.InDelta(t, 0.2, e.Measured[1].Value, 1e-15, "joint nesting")
	require.False(t, e.Measured[1].Within())
	require.Equal(t, []string{"OMM-seq 0.800, ALLO 0.800; OMM-seq ahead in 1 of 2 environments",
		"OMM-joint 0.600, ALLO 0.800; OMM-joint ahead in 0 of 2 environments",
		"2 run(s) of 100 steps; OMM-seq/OMM-joint/ALLO: E 0.90/0.50/0.80, E 0.70/0.70/0.80"}, e.Notes)
}

func TestNestingsAreCompared(t *testing.T) {
	e := measured(t, "seq-vs-joint", Figure1(),
		Fig1Data{Environments: []Fig1Environment{bars(0.9, 0.5, 1), bars(0.6, 0.8, 1)}})[0]
	require.Len(t, e.Measured, 1)
	require.InDelta(t, -0.1, e.Measured[0].Value, 1e-15)
	want := "sequential 0.750, joint 0.650; sequential ahead in 1 of 2 environments, at worst behind by 0.200"
	require.Equal(t, []string{want}, e.Notes)
	e = measured(t, "seq-vs-joint", Figure1(), Fig1Data{Environments: []Fig1Environment{bars(0.7, 0.8, 1)}})[0]
	require.False(t, e.Measured[0].Within())
}

func TestTheNearestReadingIsNamed(t *testing.T) {
	row := func(v variant, average float64) ReadingRow {
		e := Paper("GridRoom-4", "omm_seq", tab2Modes, 1)
		e.Gamma, e.Shift, e.Expectation = v.Gamma, v.Shift, v.Expectation
		return newReadingRow(of(e, average))
	}
	e := measured(t, "pair-law", Readings(), ReadingsData{Rows: []ReadingRow{
		row(variant{Reading{0, 1}, Exact}, 0.1), row(textual, 0.77), row(variant{Reading{0.9, 0}, AllPairs}, 0.9)}})[0]
	require.Equal(t, claims.Small, e.Outcome, "one run of five")
	require.Len(t, e.Measured, 1, "the text's reading is that with sampled transitions")
	require.InDelta(t, 0.0997, e.Measured[0].Value, 1e-12)
	require.InDelta(t, 0.01, e.Measured[0].Tolerance, 1e-12)
	require.Contains(t, e.Notes[0], "nearest to the printed mean: γ = 0.9, κ = 0 (all pairs in every step)")
}
