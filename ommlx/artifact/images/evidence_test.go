package images

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
)

// tableOf returns Table 1 for runs whose accuracies are the printed ones plus off points.
func tableOf(p run.Profile, off float64) (d Tab1Data) {
	for _, r := range rows() {
		e := r.experiment(p)
		result := &Result{Config: e.With(run.Seeds(3))}
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
	require.Contains(t, evidenceOf(t, "tab1-nesting", run.Paper).Notes[0],
		"OMM-seq, p = 1 (DirectCLR) 53.0 ± 0.1 and 81.2 ± 0.1")
}

// The statements about Table 1 are measured on our rows. For the printed numbers the values must be those in the notes
// of the claims.
func TestEvidenceMeasuresStatements(t *testing.T) {
	printed := tableOf(run.Paper, 0)
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
	notes := func(id string) string {
		c, ok := claims.Find(id)
		require.True(t, ok)
		return c.Caveat
	}
	number := printed.find
	says := func(id, words string, points float64) {
		require.Contains(t, notes(id), strings.ReplaceAll(words, "#", strconv.FormatFloat(points, 'f', 2, 64)), id)
	}
	joint, plain := number("omm_jnt", Projected), number("omm", Projected)
	says("ssl-nesting-no-improvement", "gains # points of top-1", *joint.PaperTop1-*plain.PaperTop1)
	says("ssl-nesting-no-improvement", "loses # of top-5", *plain.PaperTop5-*joint.PaperTop5)
	says("ssl-nesting-no-improvement", "loses # points of top-1 without the projector",
		*number("omm", Top).PaperTop1-*number("omm_seq", Top).PaperTop1)
	lost := func(method string) float64 {
		return *number(method, Projected).PaperTop1 - *number(method, Top).PaperTop1
	}
	says("ssl-projector-not-needed", "the mixture lose # points or less",
		max(lost("omm"), lost("omm_jnt"), lost("omm12")))
	says("ssl-projector-not-needed", "p = 2 loses #", lost("omm2"))
	says("ssl-projector-not-needed", "sequential nesting #", lost("omm_seq"))
}
