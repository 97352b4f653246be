package rl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// ptr is a number that is there.
func ptr(x float64) *float64 { return &x }

// Two readings, one of them in two environments, and one whose runs all diverged.
func TestReadingsByTheirDistance(t *testing.T) {
	row := func(environment string, gamma float64, all, rotated *float64, paper float64) ReadingRow {
		e := Paper(environment, "omm_seq", 50, 1)
		return ReadingRow{Environment: environment, Reading: Reading{Gamma: gamma, Shift: 1, Overlap: OverlapStates},
			All: all, OtherScores: OtherScores{Rotated: rotated}, PaperMean: paper, Result: &Result{Config: e}}
	}
	found := ReadingsData{Rows: []ReadingRow{
		row("GridRoom-4", 0.9, ptr(0.5), ptr(0.7), 0.9), row("GridRoom-1", 0.9, ptr(1), nil, 0.8),
		row("GridRoom-4", 0, ptr(0.8), ptr(0.9), 0.9), row("GridRoom-1", 0.5, nil, nil, 0.9),
	}}.Distances()
	require.Len(t, found, 2)
	require.InDelta(t, 0.1, found[0].Ours, 1e-12)
	require.InDelta(t, 0, found[0].Rotated, 1e-12)
	require.Equal(t, 1, found[0].Environments)
	require.InDelta(t, 0.3, found[1].Ours, 1e-12)
	require.True(t, math.IsNaN(found[1].Rotated))
	require.Equal(t, 2, found[1].Environments)
}

func TestFigure1InWords(t *testing.T) {
	data := Fig1Data{Note: "note", Environments: []Fig1Environment{
		{Name: "A", Hard: true, Bars: []Fig1Value{{Label: "OMM-seq", NotRun: true},
			{Label: "ALLO", Mean: ptr(0.5), Std: ptr(0.25), OtherScores: OtherScores{Data: ptr(0.75)},
				Result: &Result{Runs: make([]Run, 2)}}}},
		{Name: "B", Bars: []Fig1Value{{Label: "OMM-seq", Diverged: 1, Result: &Result{Runs: make([]Run, 1)}},
			{NotRun: true}}},
	}}
	text := data.Text()
	require.Equal(t, []string{"Environment", "OMM-seq (runs)", "ALLO (runs)", "eigenfunctions of the data"},
		text.Header)
	require.Equal(t, [][]string{{"A (hard)", "not run", "0.500 ± 0.250 (2)", "0.750"},
		{"B", "all runs diverged (1)", "not run", ""}}, text.Rows)
}

func TestScoreOfAPair(t *testing.T) {
	e := SweepEnvironment{Cells: []SweepCell{{BarrierPair: BarrierPair{1, 0.1}, Average: ptr(0.9)},
		{BarrierPair: BarrierPair{2, 1}}}}
	require.Equal(t, 0.9, e.Score(BarrierPair{1, 0.1}))
	require.True(t, math.IsNaN(e.Score(BarrierPair{2, 1})))
	require.True(t, math.IsNaN(e.Score(BarrierPair{3, 1})))
}
