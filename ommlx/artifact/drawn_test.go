package artifact_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/testkit"
)

// TestReportsOfWhatIsKept: without training, a report is of the seeds that there are; where it cannot leave blanks, it
// waits for one of everything. At the paper's scale it is written apart from the quick one.
func TestReportsOfWhatIsKept(t *testing.T) {
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out, KeptOnly: true}
	first, second := newMadeUp(20), newMadeUp(20)
	second.Target = 1
	written := func(partial bool) string {
		t.Helper()
		e := entry(first.with(1, 2, 3), second)
		e.Partial = partial
		dir := filepath.Join(l.Root, "tables", "paper")
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, report.Make(t.Context(), l, []report.Entry{e}))
		text, err := os.ReadFile(filepath.Join(dir, "tab9_made_up.csv"))
		if err != nil {
			return ""
		}
		var data struct{ Provenance report.Origin }
		origin := testkit.Must(os.ReadFile(filepath.Join(l.Root, e.File(lab.Paper))))
		require.NoError(t, json.Unmarshal(origin, &data))
		require.Equal(t, lab.Paper, data.Provenance.Drawn.Profile)
		return string(text)
	}
	require.Empty(t, written(false)+written(true))
	require.Contains(t, out.String(), "no kept result yet, so it is not drawn")
	run(t, l, first.with(2))
	require.Empty(t, written(false))
	require.Contains(t, out.String(), "no kept result of made up, target 1 yet")
	require.Equal(t, "Runs\n1 runs\n0 runs\n", written(true))
	run(t, l, first.with(1))
	run(t, l, second.with(1))
	require.Equal(t, "Runs\n2 runs\n1 runs\n", written(false))
	require.Len(t, results(t, l), 3, "nothing was trained")
	l.KeptOnly = false
	require.Equal(t, "Runs\n3 runs\n2 runs\n", written(false))
}

// TestWhatLacksNothingIsDrawnFirst, whatever stands before it, and then what takes the least time for all of its jobs.
func TestWhatLacksNothingIsDrawnFirst(t *testing.T) {
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out}
	run(t, l, newMadeUp(2_000))
	whole, open := entry(newMadeUp(2_000)), entry(newMadeUp(20).with(1), newMadeUp(21).with(1))
	shorter := entry(newMadeUp(22).with(1))
	open.Name, shorter.Name = "tab8_made_up", "tab7_made_up"
	bare := report.Entry{Kind: report.Figure, Name: "fig3_made_up", About: "of no training"}
	out.Reset()
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{open, shorter, whole, bare}))
	heads := regexp.MustCompile(`(?m)^(\w+): (a made-up table|of no training|done|it is of no training)`)
	var order []string
	for _, match := range heads.FindAllStringSubmatch(out.String(), -1) {
		order = append(order, match[1]+" "+match[2])
	}
	require.Equal(t, []string{
		"tab9_made_up a made-up table", "tab9_made_up done", "fig3_made_up of no training",
		"fig3_made_up it is of no training", "tab7_made_up a made-up table", "tab7_made_up done",
		"tab8_made_up a made-up table", "tab8_made_up done",
	}, order)
}
