package artifact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/train"
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
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out, KeptOnly: true}
	written := func(partial bool) string {
		t.Helper()
		dir := filepath.Join(l.Root, "tables", "paper")
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, report.Make(t.Context(), l, []report.Entry{countingEntry(partial)}))
		text, err := os.ReadFile(filepath.Join(dir, "tab9_made_up.csv"))
		if err != nil {
			return ""
		}
		var data struct{ Provenance report.Origin }
		origin := testkit.Must(os.ReadFile(filepath.Join(l.Root, countingEntry(partial).File(lab.Paper))))
		require.NoError(t, json.Unmarshal(origin, &data))
		require.Equal(t, lab.Paper, data.Provenance.Drawn.Profile)
		return string(text)
	}
	first, second := newMadeUp(20), newMadeUp(20)
	second.Target = 1
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

// makeCounting makes the table of three and two runs. It returns what was said, and the table as it was when the text
// at was said.
func makeCounting(
	ctx context.Context, t *testing.T, l *lab.Lab, partial bool, at string,
) (said, then string, err error) {
	t.Helper()
	var out bytes.Buffer
	path := filepath.Join(l.Root, "tables", "paper", "tab9_made_up.csv")
	l.Out = io.MultiWriter(&out, &stopAt{text: at, then: func() {
		text := testkit.Must(os.ReadFile(path))
		then = string(text)
	}})
	err = report.Make(ctx, l, []report.Entry{countingEntry(partial)})
	return out.String(), then, err
}

const ofWhatIsKept = "this is a table of what is kept so far"

// TestWhatIsKeptIsDrawnBeforeTheRestIsTrained: at the paper's scale a table of the kept results is there at once, also
// if the training is interrupted, and one of all results at the end.
func TestWhatIsKeptIsDrawnBeforeTheRestIsTrained(t *testing.T) {
	for _, partial := range []bool{true, false} {
		l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper}
		first, second := newMadeUp(20), newMadeUp(20)
		second.Target = 1
		run(t, l, first.with(2))
		missing, rows := "4 of 5", "Runs\n1 runs\n0 runs\n"
		if !partial {
			run(t, l, second.with(1))
			missing, rows = "3 of 5", "Runs\n1 runs\n1 runs\n"
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		said, then, err := makeCounting(stopped, t, l, partial, ofWhatIsKept)
		require.ErrorIs(t, err, train.ErrInterrupted)
		require.Equal(t, rows, then)
		require.Regexp(t, `(?m)^tab9_made_up: this is a table of what is kept so far; the missing runs \(`+missing+
			`\) are trained now, in about \d+m?\d*s$`, said)

		said, then = testkit.Must2(makeCounting(t.Context(), t, l, partial, ofWhatIsKept))
		require.Equal(t, rows, then)
		require.Equal(t, 2, strings.Count(said, "wrote "))
		require.Equal(t, 1, strings.Count(said, "tab9_made_up: done in"))

		said, then = testkit.Must2(makeCounting(t.Context(), t, l, partial, "done in"))
		require.Equal(t, "Runs\n3 runs\n2 runs\n", then)
		require.Equal(t, 1, strings.Count(said, "wrote "), "nothing is missing")
		require.NotContains(t, said, ofWhatIsKept)
	}
}

// TestTooLittleIsNotDrawnFirst: without a kept result, and where a training has none of which blanks cannot be left,
// the training begins as it did; so it does under the other profiles, which take minutes.
func TestTooLittleIsNotDrawnFirst(t *testing.T) {
	for _, c := range []struct {
		profile lab.Profile
		partial bool
		kept    []int64
	}{{lab.Paper, true, nil}, {lab.Paper, false, []int64{2}}, {lab.Quick, true, []int64{2}}} {
		l := &lab.Lab{Root: t.TempDir(), Profile: c.profile}
		if c.kept != nil {
			run(t, l, newMadeUp(20).with(c.kept...))
		}
		said, _ := testkit.Must2(makeCounting(t.Context(), t, l, c.partial, ofWhatIsKept))
		require.Equal(t, 1, strings.Count(said, "wrote "), said)
		require.NotContains(t, said, "not drawn")
		require.NotContains(t, said, ofWhatIsKept)
	}
}

// TestWhatLacksNothingIsDrawnFirst, whatever stands before it.
func TestWhatLacksNothingIsDrawnFirst(t *testing.T) {
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out}
	run(t, l, newMadeUp(2_000))
	whole, open := entry(2_000), entry(20)
	open.Name = "tab8_made_up"
	bare := report.Entry{Kind: report.Figure, Name: "fig3_made_up", About: "of no training"}
	out.Reset()
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{open, whole, bare}))
	heads := regexp.MustCompile(`(?m)^(\w+): (a made-up table|of no training|done|it is of no training)`)
	var order []string
	for _, match := range heads.FindAllStringSubmatch(out.String(), -1) {
		order = append(order, match[1]+" "+match[2])
	}
	require.Equal(t, []string{
		"tab9_made_up a made-up table", "tab9_made_up done", "fig3_made_up of no training",
		"fig3_made_up it is of no training", "tab8_made_up a made-up table", "tab8_made_up done",
	}, order)
}
