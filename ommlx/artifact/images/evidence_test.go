package images

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/train"
)

// shown is Table 1 of runs with the accuracies that are printed, and off more.
func shown(p lab.Profile, off float64) (d Tab1Data) {
	for _, r := range rows() {
		e := r.experiment(p)
		result := &Result{Config: e.with(1, 2, 3)}
		printed := r.top1
		if r.ours() {
			printed = 50
		}
		for i, seed := range result.Config.Seeds {
			accuracy := probe.Accuracy{Top1: (printed+off)/100 + 0.001*float64(i-1)}
			result.Runs = append(result.Runs, Run{Seed: seed, Linear: accuracy})
		}
		d.Rows = append(d.Rows, r.beside(result))
	}
	return d
}

func evidenceOf(t *testing.T, d Tab1Data) claims.Evidence {
	t.Helper()
	text, err := json.Marshal(d)
	require.NoError(t, err)
	e := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Claim: "tab1"}}
	require.NoError(t, Evidence()[0].Measured(text, &e))
	return e
}

func TestTable1IsComparedWithThePrintedNumbers(t *testing.T) {
	require.Len(t, Evidence(), 1)
	e := evidenceOf(t, shown(lab.Paper, 0))
	require.Equal(t, claims.Done, e.Outcome)
	require.Equal(t, map[claims.Verdict]int{claims.Reproduced: 11}, e.Comparisons)
	require.Contains(t, e.Notes[0], "OMM-seq, p = 1 (DirectCLR) 53.0 ± 0.1")

	e = evidenceOf(t, shown(lab.Paper, 5))
	require.Equal(t, map[claims.Verdict]int{claims.Better: 11}, e.Comparisons, "rows of ours are beside none")

	e = evidenceOf(t, shown(lab.Quick, 0))
	require.Equal(t, claims.Small, e.Outcome)
	require.Empty(t, e.Comparisons)

	var none claims.Evidence
	require.ErrorContains(t, Evidence()[0].Measured([]byte("{}"), &none), "no row of the paper's")
}

// The table without results has its rows, and says that they were not run.
func TestTable1WithoutResults(t *testing.T) {
	var d Tab1Data
	for _, r := range rows() {
		d.Rows = append(d.Rows, r.beside(nil))
	}
	text := d.Text()
	require.Len(t, text.Rows, len(rows())+1)
	for _, cells := range text.Rows[:len(rows())] {
		require.Equal(t, "not run", cells[3])
	}
	require.Equal(t, string(report.NotAtScale), text.Rows[0][9])
}

// The networks before training are those of the result with most seeds, since the seeds of all begin alike.
func TestTheNoteSaysWhatUntrainedFeaturesDo(t *testing.T) {
	with := func(step int, values ...float64) *Result {
		return &Result{History: []train.Point{{Step: step, Value: values}}}
	}
	all := []*Result{nil, with(0, 0.4), with(0, 0.4, 0.5), with(3, 1, 1, 1), {}}
	require.Equal(t, "45.0 ± 7.1", untrained(all).Text(1))
	require.Zero(t, untrained([]*Result{nil, with(3, 1)}).Runs)
}
