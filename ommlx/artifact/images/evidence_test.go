package images

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
)

// tableOf returns Table 1 for runs whose accuracies are the printed ones plus off points.
func tableOf(p run.Profile, off float64) (d Tab1Data) {
	for _, r := range rows(run.Paper) {
		e := r.experiment(p)
		result := &Result{Config: e.With(run.Seeds(3)).(Experiment)}
		first, five := 50.0, 80.0
		if r.PaperTop1 != nil {
			first, five = *r.PaperTop1, *r.PaperTop5
		}
		for i, seed := range result.Config.Seeds {
			more := off/100 + 0.001*float64(i-1)
			result.Runs = append(result.Runs, Run{Seed: seed,
				Linear: representation.Accuracy{Top1: first/100 + more, Top5: five/100 + more}})
		}
		d.Rows = append(d.Rows, r.withResult(result))
	}
	return d
}

func evidenceOf(t *testing.T, claim string, p run.Profile) claims.Evidence {
	t.Helper()
	return papertest.Measured(t, Evidence(), claim, Table1(), p, tableOf(p, 0))
}

func TestEvidenceComparesPrintedNumbers(t *testing.T) {
	numbers := map[string]int{"tab1-omm": 4, "tab1-nesting": 8, "tab1-order-2": 4, "tab1-mixture": 4, "tab1-simclr": 2}
	papertest.Compares(t, Evidence(), Table1(), slices.Sorted(maps.Keys(numbers)), tableOf, 5)
	for claim, n := range numbers {
		require.Len(t, evidenceOf(t, claim, run.Paper).Measured, n, claim)
	}
}

// The statements about Table 1 are measured on our rows, here those with the printed numbers.
func TestEvidenceMeasuresStatements(t *testing.T) {
	for claim, worst := range map[string]float64{ // of the printed numbers
		"ssl-nesting-no-improvement": 1.28, "ssl-higher-order-helps": -1.44, "ssl-mixture-best": -0.85,
		"ssl-below-simclr": -1.73, "ssl-projector-not-needed": 6.95,
	} {
		e := evidenceOf(t, claim, run.Paper)
		require.Equal(t, claims.Done, e.Outcome)
		most := math.Inf(-1)
		for _, m := range e.Measured {
			most = max(most, m.Value)
		}
		require.InDelta(t, worst, most, 1e-9, claim)
		require.Equal(t, claims.Small, evidenceOf(t, claim, run.Quick).Outcome)
	}
}
