package artifact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// countingEntry is a table of two made-up experiments, which says how many runs each has.
func countingEntry(partial bool) report.Entry {
	list := []madeUp{newMadeUp(20), newMadeUp(20)}
	list[1].Target = 1
	list[0].Seeds = lab.Seeds(3)
	return report.Entry{
		Kind: report.Table, Name: "tab9_made_up", Short: "tab9", About: "a made-up table", Partial: partial,
		Plan: func(lab.Profile) ([]lab.Job, error) { return lab.NewJobs(list) },
		Report: func(l *lab.Lab) error {
			results, origin, err := report.Gather(l, list)
			if err != nil {
				return err
			}
			text := report.Text{Title: "Made up", Header: []string{"Runs"}}
			for _, r := range results {
				runs := 0
				if r != nil {
					runs = len(r.Runs)
				}
				text.Rows = append(text.Rows, []string{fmt.Sprint(runs, " runs")})
			}
			return report.WriteTable(l, "tab9_made_up", map[string]any{"provenance": origin}, text)
		}}
}

// TestReportsOfWhatIsKept: without training, a report is of the seeds that there are; where it cannot leave blanks, it
// waits for one of everything. At the paper's scale it is written apart from the quick one.
func TestReportsOfWhatIsKept(t *testing.T) {
	ctx := context.Background()
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out, KeptOnly: true}
	written := func(e report.Entry) string {
		t.Helper()
		dir := filepath.Join(l.Root, "tables", "paper")
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, report.Make(ctx, l, []report.Entry{e}))
		text, err := os.ReadFile(filepath.Join(dir, "tab9_made_up.csv"))
		if err != nil {
			return ""
		}
		var data struct{ Provenance report.Origin }
		origin, err := os.ReadFile(filepath.Join(l.Root, e.File(lab.Paper)))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(origin, &data))
		require.Equal(t, lab.Paper, data.Provenance.Drawn.Profile)
		return string(text)
	}
	for _, partial := range []bool{false, true} {
		require.Empty(t, written(countingEntry(partial)))
	}
	require.Contains(t, out.String(), "no kept result yet, so it is not drawn")

	first := newMadeUp(20)
	_, err := lab.Run(ctx, l, first.with(2))
	require.NoError(t, err)
	require.Empty(t, written(countingEntry(false)))
	require.Contains(t, out.String(), "no kept result of made up, target 1 yet")
	require.Equal(t, "Runs\n1 runs\n0 runs\n", written(countingEntry(true)))

	_, err = lab.Run(ctx, l, first.with(1))
	require.NoError(t, err)
	second := newMadeUp(20)
	second.Target = 1
	_, err = lab.Run(ctx, l, second.with(1))
	require.NoError(t, err)
	require.Equal(t, "Runs\n2 runs\n1 runs\n", written(countingEntry(false)))
	require.Len(t, results(t, l), 3, "nothing was trained")

	l.KeptOnly = false
	require.Equal(t, "Runs\n3 runs\n2 runs\n", written(countingEntry(false)))
}
