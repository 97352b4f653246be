package rl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
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
		row("GridRoom-4", 0.3, ptr(0.7), ptr(0.9), 0.9), row("GridRoom-4", 0.4, nil, nil, 0.9),
		row("GridMaze-9", 0.9, ptr(0), nil, 0.9), // where few readings were tried
	}}.Distances()
	require.Len(t, found, 3)
	require.InDelta(t, 0.3, found[0].Ours, 1e-12)
	require.True(t, math.IsNaN(found[0].Rotated))
	require.Equal(t, 2, found[0].Environments, "tried in more environments")
	require.InDelta(t, 0.1, found[1].Ours, 1e-12)
	require.InDelta(t, 0, found[1].Rotated, 1e-12)
	require.Equal(t, 1, found[1].Environments)
	require.InDelta(t, 0.2, found[2].Ours, 1e-12)
}

// Rows are paired that differ in one choice alone.
func TestReadingsThatDifferInOneChoice(t *testing.T) {
	var d ReadingsData
	score := 0.0
	for _, v := range []variant{
		{Reading: Reading{0.9, 1, OverlapPairs}, Expectation: Minibatch},
		{Reading: Reading{0.9, 0, OverlapPairs}, Expectation: Minibatch},
		{Reading: Reading{0.9, 1, OverlapStates}, Expectation: Minibatch},
		{Reading: Reading{0.9, 1, OverlapPairs}, Expectation: AllPairs},
		{Reading: Reading{0.9, 0, OverlapPairs}, Expectation: AllPairs},
		{Reading: Reading{0, 1, OverlapPairs}, Expectation: Minibatch},
	} {
		score += 0.1
		d.Rows = append(d.Rows, newReadingRow(of(v.in("GridRoom-4", tab2Modes, 1), score)))
	}
	text, higher := PairsText(d.Shifts(), "κ = 1", "κ = 0")
	require.Equal(t, 2, higher)
	require.Equal(t, [][]string{
		{"GridRoom-4", "γ = 0.9, M[f] from the pairs' first ends", "0.1000 (1 run)", "0.2000 (1 run)", "", ""},
		{"GridRoom-4", "γ = 0.9, all pairs in every step", "0.4000 (1 run)", "0.5000 (1 run)", "", ""},
	}, text.Rows)
	require.Equal(t, "κ = 0 has the higher mean in 2 of 2 pairs.", text.Note)
	text, higher = PairsText(d.Separations(), "pairs", "states")
	require.Equal(t, 1, higher)
	require.Equal(t, [][]string{{"GridRoom-4", "γ = 0.9, κ = 1", "0.1000 (1 run)", "0.3000 (1 run)", "", ""}},
		text.Rows)
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

func TestEveryScoreOfFigure1(t *testing.T) {
	e := Paper("GridRoom-4", "omm_seq", 11, 2)
	r := of(e, 0.5, 0.7)
	for i := range r.Runs {
		r.Runs[i].Ritz, r.Runs[i].OfData = &Scores{Average: 0.9}, &Scores{Average: 0.8}
	}
	bar := Fig1Value{Label: labelSequential}
	bar.fill(r)
	bars := []Fig1Value{bar, {Label: labelALLO, NotRun: true}}
	data := Fig1Data{Environments: []Fig1Environment{{Name: "E", Bars: bars}}}
	require.Equal(t, [][]string{{"E", "OMM-seq", "2", "0.6000 ± 0.1414", "", "0.9000", "", "0.8000"},
		{"E", "ALLO", "0", "not run", "", "", "", ""}}, data.Scores().Rows)
}

func TestScoreOfAPair(t *testing.T) {
	e := SweepEnvironment{Cells: []SweepCell{{BarrierPair: BarrierPair{1, 0.1}, Average: ptr(0.9)},
		{BarrierPair: BarrierPair{2, 1}}}}
	require.Equal(t, 0.9, e.Score(BarrierPair{1, 0.1}))
	require.True(t, math.IsNaN(e.Score(BarrierPair{2, 1})))
	require.True(t, math.IsNaN(e.Score(BarrierPair{3, 1})))
}

// What takes more steps than the paper has is told by its name, is judged as the others are, and has no place in a
// profile of minutes.
func TestMoreStepsAreARowAtThePapersScaleAlone(t *testing.T) {
	row := newReadingRow(of(longer().in("GridRoom-16", tab2Modes, 2), 0.9135, 0.9135))
	require.Equal(t, nearest.String()+", 200,000 steps", row.Name())
	require.NotEqual(t, report.NotAtScale, row.Verdict)
	all := len(beyondCompared())
	for p, want := range map[lab.Profile]int{lab.Paper: 3 * all, lab.Quick: all - 1, lab.Smoke: all - 1} {
		jobs, err := Beyond().Jobs(p)
		require.NoError(t, err)
		require.Len(t, jobs, want, p)
	}
}

// Where the paper prints no number the table has neither a column for it nor a verdict.
func TestAComparisonWithoutPrintedNumbers(t *testing.T) {
	row := newReadingRow(of(nearest.in("GridMaze-26", spectrumModes, 2), 0.6, 0.7))
	require.Empty(t, row.Verdict)
	require.Zero(t, row.PaperMean)
	text := ReadingsData{Rows: []ReadingRow{row}}.Text()
	require.Equal(t, "Average", text.Header[3])
	require.Equal(t, []string{"GridMaze-26", nearest.String(), "2", "0.6500 ± 0.0707"}, text.Rows[0][:4])
	require.Len(t, text.Rows[0], len(text.Header))

	jobs, err := BeyondHard().Jobs(lab.Paper)
	require.NoError(t, err)
	require.Len(t, jobs, 2*len(hardInstances))
}
