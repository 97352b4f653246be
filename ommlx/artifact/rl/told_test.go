package rl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
)

// ptr is a number that is there.
func ptr(x float64) *float64 { return &x }

func TestFigure1InWords(t *testing.T) {
	data := Fig1Data{Note: "note", Environments: []Fig1Environment{
		{Name: "A", Hard: true, Bars: []Fig1Value{{Label: "OMM-seq", Protocol: PublicProtocol, NotRun: true},
			{Label: "ALLO", Protocol: PublicProtocol, Scored: Scored{Mean: ptr(0.5), Std: ptr(0.25)}, Theirs: ptr(0.4),
				Result: &Result{Runs: make([]Run, 2)}},
			{Label: "ALLO", Protocol: PrintedProtocol, NotRun: true}}},
		{Name: "B", Bars: []Fig1Value{{Label: "OMM-seq", Protocol: PublicProtocol, Diverged: 1,
			Result: &Result{Runs: []Run{{Diverged: 3}}}}, {Protocol: PublicProtocol, NotRun: true},
			{Protocol: PrintedProtocol, NotRun: true}}},
	}}
	text := data.Text(PublicProtocol)
	require.Equal(t, []string{"Environment", "OMM-seq (runs)", "theirs", "ALLO (runs)", "theirs"}, text.Header)
	require.Equal(t, [][]string{{"A (hard)", "not run", "", "0.500 ± 0.250 (2)", "0.400"},
		{"B", "all runs diverged (1)", "", "not run", ""}}, text.Rows)
	require.Equal(t, []string{"Environment", "ALLO (runs)"}, data.Text(PrintedProtocol).Header)
	require.Equal(t, []Protocol{PublicProtocol, PrintedProtocol}, data.protocols())
}

func TestEveryScoreOfFigure1(t *testing.T) {
	r := of(Paper("GridRoom-4", "omm_seq", 11, 2), 0.5, 0.7)
	for i := range r.Runs {
		r.Runs[i].Ritz, r.Runs[i].OfData = &Scores{Average: 0.9}, &Scores{Average: 0.8}
	}
	bar := barOf(variant{label: labelSequential, protocol: PrintedProtocol}, r)
	bars := []Fig1Value{bar, {Label: labelDifferences, Protocol: PrintedProtocol, Beyond: true, NotRun: true}}
	data := Fig1Data{Environments: []Fig1Environment{{Name: "E", Bars: bars}}}
	require.Equal(t, [][]string{{"E", "OMM-seq, text", "2", "0.6000 ± 0.1414", "", "", "0.9000", "", "0.8000"},
		{"E", labelDifferences, "0", "not run", "", "", "", "", ""}}, data.Scores().Rows)
}

func TestScoreOfAPair(t *testing.T) {
	e := SweepEnvironment{Cells: []SweepCell{{BarrierPair: BarrierPair{1, 0.1}, Average: ptr(0.9)},
		{BarrierPair: BarrierPair{2, 1}}}}
	require.Equal(t, 0.9, e.Score(BarrierPair{1, 0.1}))
	require.True(t, math.IsNaN(e.Score(BarrierPair{2, 1})))
	require.True(t, math.IsNaN(e.Score(BarrierPair{3, 1})))
}

// Where the paper prints no number the table has no column for it.
func TestTrialsInWords(t *testing.T) {
	row := TrialRow{Environment: "GridMaze-26", Name: "a way", Scored: Scored{Mean: ptr(0.65), Std: ptr(0.07)},
		Result: of(Paper("GridMaze-26", "omm_seq", spectrumModes, 2), 0.6, 0.7)}
	d := TrialsData{Rows: []TrialRow{row}}
	require.Equal(t, []string{"GridMaze-26", "a way", "2", "0.6500 ± 0.0700", "", "", ""}, d.Text().Rows[0])
	d.Rows[0].Printed = ptr(0.5)
	require.Equal(t, "0.5000", d.Text().Rows[0][7])
	require.Equal(t, "Table 2 (c)", d.Text().Header[7])
}

// The spread over weights has the data of the public code in all runs; that over data has one set of weights.
func TestTheTwoSourcesOfASpreadAreApart(t *testing.T) {
	list := spreadPlan(lab.Paper)
	require.Len(t, list, 2*len(spreadEnvironments)*5)
	for i, r := range list {
		e := r.experiment
		if i%5 == 0 {
			require.Equal(t, May(e.Environment, e.Method, 4), e, "a row of figure 1")
			continue
		}
		require.Equal(t, []any{int64(i % 5), []int64{1}, WalksOwn}, []any{e.DataSeed, e.Seeds, e.Walks})
	}
	d := SpreadData{Rows: []SpreadRow{{Environment: "E", Method: "allo", Weights: []float64{0.5, 0.7}}}}
	require.Equal(t, []string{"E", "allo", "0.600 ± 0.141", "2", "not run", "0", ""}, d.Text().Rows[0])
}
