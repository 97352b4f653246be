package rl

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// of returns a result whose runs have these averages; NaN marks a diverged run.
func of(e Experiment, averages ...float64) *Result {
	r := &Result{Config: e}
	r.Config.Seeds = run.Seeds(len(averages))
	for i, x := range averages {
		diverged := 0
		if math.IsNaN(x) {
			x, diverged = 0, 5
		}
		run := Run{Seed: r.Config.Seeds[i], Average: x, PerMode: make([]float64, e.K), Diverged: diverged,
			Rotated: &Cosines{Average: x}}
		r.Runs = append(r.Runs, run)
	}
	return r
}

func measured(t *testing.T, claim string, exhibit report.Exhibit, data any) claims.Evidence {
	t.Helper()
	return papertest.Measured(t, Evidence(), claim, exhibit, run.Paper, data)
}

// filled sets each row's result to these averages; an empty list means no result.
func filled(rows []row, averages func(row) []float64) []row {
	for i, r := range rows {
		if values := averages(r); len(values) > 0 {
			rows[i].result = of(r.experiment, values...)
		}
	}
	return rows
}

func tab2Of(p run.Profile, averages func(row) []float64) Tab2Data {
	return Tab2Data{Cells: tab2Cells(filled(planTab2(p), averages))}
}

// beyondOf returns the rows with k = 50 and these averages by label.
func beyondOf(environments []string, averages map[string][]float64) BeyondData {
	return BeyondData{Rows: beyondRows(filled(planBeyond(run.Paper), func(r row) []float64 {
		if r.experiment.K != tab2Modes || !slices.Contains(environments, r.experiment.Environment) {
			return nil
		}
		return averages[r.label]
	}))}
}

func (c *Tab2Cell) fill(r *Result) { c.Result, c.MeanCosines = r, meanCosines(r) }

func TestTable2MatchesThePaper(t *testing.T) {
	var ours [][]float64
	for _, name := range paperParts {
		mean, std := tab2Print[name][0], tab2Print[name][1]
		ours = append(ours, mean[:5], std[:5], mean[5:], std[5:])
	}
	require.Equal(t, testkit.PaperNumbers(t, `Ablation study results with ALLO and OMM`), ours)
}

// The text's claims on Table 2 are measured on averages over environments in which both parts were run.
func TestClaimsOnTable2AreMeasured(t *testing.T) {
	byPart := map[string][]float64{"a": {0.5}, "b": {0.7}, "c": {0.5}, beyondPart: {0.8, 0.9}}
	d := tab2Of(run.Paper, func(r row) []float64 { return byPart[r.part] })
	jump := measured(t, "tab2-retuning-jump", Table2(), d)
	require.Equal(t, claims.Done, jump.Outcome)
	require.InDelta(t, -0.2, jump.Measured[0].Value, 1e-12)
	require.True(t, jump.Measured[0].Within(), "more than 0.05")
	behind := measured(t, "tab2-omm-comparable", Table2(), d)
	require.InDelta(t, 0.2, behind.Measured[0].Value, 1e-12)
	require.False(t, behind.Measured[0].Within())
	require.False(t, behind.Measured[0].Open)
	for i, c := range d.Cells {
		if c.Part == "c" {
			d.Cells[i].fill(of(c.Result.Config, 0.64))
		}
	}
	behind = measured(t, "tab2-omm-comparable", Table2(), d)
	require.InDelta(t, 0.06, behind.Measured[0].Value, 1e-12)
	require.True(t, behind.Measured[0].Open, "0.06 ± 0.07: the limit is inside, the mean beyond it")

	d.Cells[0].fill(of(d.Cells[0].Result.Config, math.NaN()))
	jump = measured(t, "tab2-retuning-jump", Table2(), d)
	require.Equal(t, claims.Done, jump.Outcome)
	require.Contains(t, jump.Notes[0], "over 10 environments: 0.450", "a diverged cell scores 0")

	d.Cells[0].Mean, d.Cells[0].Result = nil, nil
	jump = measured(t, "tab2-retuning-jump", Table2(), d)
	require.Equal(t, claims.Small, jump.Outcome)
	require.Contains(t, jump.Notes[0], "over 9 environments")
	require.Equal(t, claims.Skipped, measured(t, "tab2-retuning-jump", Table2(), Tab2Data{}).Outcome)
}

// Cells whose runs all diverged are marked and score 0; missing cells are marked.
func TestTable2MarksDivergence(t *testing.T) {
	d := tab2Of(run.Paper, func(row) []float64 { return []float64{math.NaN(), math.NaN()} })
	require.Contains(t, d.Text().Rows[0], "all runs diverged")
	for _, part := range paperParts {
		e := measured(t, "tab2-"+part, Table2(), d)
		require.Equal(t, claims.Done, e.Outcome)
		require.False(t, e.Measured[0].Within())
		require.False(t, e.Measured[0].Open)
	}
	some := tab2Of(run.Paper, func(row) []float64 { return []float64{0.8151, math.NaN()} })
	require.Contains(t, some.Text().Rows[0], "2, 1 diverged")
	none := tab2Of(run.Smoke, func(row) []float64 { return nil })
	require.Contains(t, none.Text().Rows, []string{"(c) OMM-seq", "as printed", "GridRoom-4", "0.8697 ± 0.0045",
		"not run", "", "", "", "", ""})
}

// The row after a Ritz step has the scores of the runs by differences; a diverged run is omitted.
func TestRitzStepHasItsOwnRow(t *testing.T) {
	r := of(Paper("GridRoom-4", "omm_seq", 11, 3), 0.5, 0.7, 0.1)
	r.Runs[0].Ritz, r.Runs[1].Ritz = &Cosines{Average: 0.8}, &Cosines{Average: 0.9}
	r.Runs[2].Diverged = 7
	bars := fig1Bars([]row{{label: labelSequential, result: r}, {label: labelDifferences, part: beyondPart, result: r},
		{label: "last"}})
	labels := []string{bars[0].Label, bars[1].Label, bars[2].Label, bars[3].Label}
	require.Equal(t, []string{labelSequential, labelDifferences, "last", labelRitz}, labels)
	require.Equal(t, []float64{0.8, 0.9}, averages(bars[3].Result, Run.own))
	require.InDelta(t, 0.85, *bars[3].Mean, 1e-15)
	require.InDelta(t, 0.6, *bars[1].Mean, 1e-15, "the original runs are unchanged")
	require.True(t, fig1Bars([]row{{label: labelDifferences}})[1].NotRun)
}

// Three weights on each of two data sets: the weights spread by 0.1 on both, and the means are 0.5 apart.
func TestSpreadsOfDataAndWeights(t *testing.T) {
	e := May("GridRoom-32", "allo")
	results := []*Result{of(e, 0.2, 0.3, 0.4), of(e, 0.7, 0.8, 0.9)}
	data, weights := effects(results)
	require.InDelta(t, 0.1, weights, 1e-12)
	require.InDelta(t, math.Sqrt(0.125-0.01/3), data, 1e-12)
	data, _ = effects([]*Result{of(e, 0.2, 0.3, 0.4), of(e, 0.2, 0.3, 0.4)})
	require.Zero(t, data, "no more than the weights explain")
	_, weights = effects(append(results, of(e, 0.5)))
	require.InDelta(t, 0.1, weights, 1e-12, "a data set with one run does not count")
	for name, few := range map[string][]*Result{"one data set": results[:1],
		"one run each": {of(e, 0.2), of(e, 0.7)}, "unequal": {of(e, 0.2, 0.3), of(e, 0.7, 0.8, 0.9)}} {
		data, weights = effects(few)
		require.True(t, math.IsNaN(data) && math.IsNaN(weights), name)
	}
	rows := beyondRows([]row{{result: results[0], experiment: e}, {result: results[1], experiment: e}})
	d := BeyondData{Rows: rows}
	require.Equal(t, "0.3488 / 0.1000", d.Text().Rows[0][5])
}

func TestPartBeyondThePaperIsComparedWithC(t *testing.T) {
	d := Tab2Data{Cells: []Tab2Cell{{Part: "b2", PaperStd: 1}, {Part: beyondPart, PaperStd: 1}}}
	require.InDelta(t, 1./3, d.points()[0].paperVariance, 1e-15)
	require.InDelta(t, 1./5, d.points()[1].paperVariance, 1e-15)
}
