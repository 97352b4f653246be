package images

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/probe"
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
				Linear: probe.Accuracy{Top1: first/100 + more, Top5: five/100 + more}})
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

// tableWith returns the quick table with these accuracies of p = 1, p = 2, the mixture, SimCLR and the free norm, each
// of three runs with a standard deviation of one point.
func tableWith(accuracies ...float64) (d Tab1Data) {
	for _, r := range rows(run.Quick) {
		if !r.experiment(run.Quick).learns() || r.Baseline {
			continue
		}
		result := &Result{Config: r.experiment(run.Quick)}
		for i := range 3 {
			result.Runs = append(result.Runs, Run{Linear: probe.Accuracy{Top1: accuracies[0]/100 + 0.01*float64(i-1)},
				Spectrum: ViewSpectrum{Alive: 2}})
		}
		accuracies = accuracies[1:]
		d.Rows = append(d.Rows, r.withResult(result))
	}
	return d
}

func TestFindingsCompareTheOrder(t *testing.T) {
	const half = " ± 2.3" // t with four degrees of freedom, 2.776 √(2/3)
	const next = ": from each to the next the probe gains "
	for text, accuracies := range map[string][]float64{
		"SimCLR is the paper's" + next + "+10.0" + half + ", +10.0":                     {20, 30, 40, 50, 20},
		"paper's in the means, but not every step is clear" + next + "+2.0" + half:      {20, 22, 32, 50, 20},
		"SimCLR is undecided" + next + "+2.0" + half + ", -1.0":                         {20, 22, 21, 50, 20},
		"SimCLR is not the paper's" + next + "+10.0" + half + ", -9":                    {20, 30, 21, 50, 20},
		"norm 2.0; the linear probe changes by +5.0" + half + " points, a gain.":        {20, 30, 40, 50, 25},
		"the linear probe changes by -5.0" + half + " points, a loss.":                  {20, 30, 40, 50, 15},
		"the linear probe changes by +1.0" + half + " points, which is no clear differ": {20, 30, 40, 50, 21},
	} {
		d := tableWith(accuracies...)
		assert.Contains(t, d.findings(), text)
	}
	whole := tableWith(20, 30, 40, 50, 20)
	whole.Rows[1].Result = nil
	assert.Empty(t, whole.findings())
}
