package notebook

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

type trains struct{}

func (trains) Write(*run.Lab) error { return nil }

func (trains) Jobs(run.Profile) ([]run.Job, error) { return nil, nil }

func TestCommittedPrefersPaperScale(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "notebooks"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "figures", "quick"), 0o755))
	t.Chdir(filepath.Join(root, "notebooks"))
	e := report.Entry{Kind: report.Figure, Name: "fig9", Content: trains{}}
	var v struct{ X int }
	read := func() string {
		return testkit.Must(committed(e, &v))
	}
	require.Empty(t, read())
	require.NoError(t, os.WriteFile("../figures/quick/fig9.json", []byte(`{"x":1}`), 0o644))
	require.Equal(t, "figures/quick/fig9.json", read())
	require.Equal(t, 1, v.X)
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{"x":2}`), 0o644))
	require.Equal(t, "figures/fig9.json", read())
	require.Equal(t, 2, v.X)
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{`), 0o644))
	_, err := committed(e, &v)
	require.ErrorContains(t, err, "figures/fig9.json")
}

func twoModes() *pde.Result {
	return &pde.Result{Config: pde.Experiment{Method: "sanger", K: 2}, Runs: []pde.Run{
		{Energies: []float64{-1, -0.1}, Errors: []float64{0.1, 0.3}, Angles: []float64{1, 2},
			Subspaces: []float64{0.5}},
		{Diverged: 7},
		{Energies: []float64{-1, -0.3}, Errors: []float64{0.3, 0.5}, Angles: []float64{3, 2}, Subspaces: []float64{1}},
	}}
}

func TestEnergiesSkipDivergedRuns(t *testing.T) {
	n := &pde.Numbers{Exact: []float64{-1, -0.25}, Results: []*pde.Result{twoModes()}}
	assert.Equal(t, [][]string{{"exact energy", "-1.00", "-0.25"}, {"Sanger", "-1.00 ± 0.00", "-0.20 ± 0.14"}},
		energies(n, 2))
}

func TestVariantsByName(t *testing.T) {
	mean, std := 0.25, 0.125
	d := &pde.VariantsData{Rows: []pde.VariantRow{
		{About: "a", Result: twoModes()},
		{About: "b", Error: &mean, ErrorStd: &std, Subspace: &mean, SubspaceStd: &std, Result: twoModes()},
	}}
	Variants(d, "changed", "b", "a")
	assert.Equal(t, []string{"mode", "1", "2"}, Numbered("mode", 2))
}

func TestOutcomesAndRecords(t *testing.T) {
	assert.Equal(t, "diverged at step 7", Outcome(7, "%g", 1.0))
	assert.Equal(t, "1.5", Outcome(0, "%g", 1.5))
	var plot draw.Curves
	Record(&plot, "function", 0, []float64{1, 2})
	Record(&plot, "function", 10, []float64{3, 4})
	assert.Equal(t, []draw.Series{{Name: "function 1", X: []float64{0, 10}, Y: []float64{1, 3}},
		{Name: "function 2", X: []float64{0, 10}, Y: []float64{2, 4}}}, plot.Series)
	Record(&plot, "function", 20, make([]float64, 20))
	assert.Len(t, plot.Series, 8)
}

func TestPointsLinkPaperLedgerAndCode(t *testing.T) {
	rows := []claims.Row{
		{Claim: claims.Claim{Number: 1, ID: "wrong", Place: "§2.3.1, Theorem 1", Correction: "y"},
			Verdict: claims.WrongAsPrinted},
		{Claim: claims.Claim{Number: 2, ID: "short", Place: "App. D, §3.3; App. B.2", Condition: "z"},
			Verdict: claims.HoldsCaveat},
		{Claim: claims.Claim{Number: 3, ID: "open"}},
	}
	const paper = "https://arxiv.org/html/2510.21952v1#"
	table := testkit.Must(linked(rows, []Point{{"so", "ommlx.OMM", "omm.go", []string{"wrong", "short"}}}))
	require.Equal(t, [][]string{{"so", "[§2.3.1](" + paper + "S2.SS3.SSS1), Theorem 1; " +
		"[App. D](" + paper + "A4), [§3.3](" + paper + "S3.SS3); [App. B.2](" + paper + "A2.SS2)",
		"[claim 1](../tables/claims.md#claim-1): wrong as printed; " +
			"[claim 2](../tables/claims.md#claim-2): holds with a caveat",
		"[`ommlx.OMM`](../ommlx/omm.go)"}}, table)
	_, err := linked(rows, []Point{{Claims: []string{"open"}}})
	require.ErrorContains(t, err, `"open"`)
}
