package artifact_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/train"
)

// makeCounting makes the table of three and two runs. It returns what was said, and the table as it was when the text
// at was said.
func makeCounting(
	ctx context.Context, t *testing.T, l *lab.Lab, partial bool, at string,
) (said, then string, err error) {
	t.Helper()
	var out bytes.Buffer
	path := filepath.Join(l.Root, "tables", "paper", "tab9_made_up.csv")
	l.Out = io.MultiWriter(&out, &stopAt{text: at, then: func() {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
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
		_, err := lab.Run(t.Context(), l, first.with(2))
		require.NoError(t, err)
		missing, rows := "4 of 5", "Runs\n1 runs\n0 runs\n"
		if !partial {
			_, err := lab.Run(t.Context(), l, second.with(1))
			require.NoError(t, err)
			missing, rows = "3 of 5", "Runs\n1 runs\n1 runs\n"
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		said, then, err := makeCounting(stopped, t, l, partial, ofWhatIsKept)
		require.ErrorIs(t, err, train.ErrInterrupted)
		require.Equal(t, rows, then)
		require.Regexp(t, `(?m)^tab9_made_up: this is a table of what is kept so far; the missing runs \(`+missing+
			`\) are trained now, in about \d+m?\d*s$`, said)

		said, then, err = makeCounting(t.Context(), t, l, partial, ofWhatIsKept)
		require.NoError(t, err)
		require.Equal(t, rows, then)
		require.Equal(t, 2, strings.Count(said, "wrote "))
		require.Equal(t, 1, strings.Count(said, "tab9_made_up: done in"))

		said, then, err = makeCounting(t.Context(), t, l, partial, "done in")
		require.NoError(t, err)
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
			_, err := lab.Run(t.Context(), l, newMadeUp(20).with(c.kept...))
			require.NoError(t, err)
		}
		said, _, err := makeCounting(t.Context(), t, l, c.partial, ofWhatIsKept)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(said, "wrote "), said)
		require.NotContains(t, said, "not drawn")
		require.NotContains(t, said, ofWhatIsKept)
	}
}

// TestWhatLacksNothingIsDrawnFirst, whatever stands before it.
func TestWhatLacksNothingIsDrawnFirst(t *testing.T) {
	var out bytes.Buffer
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper, Out: &out}
	_, err := lab.Run(t.Context(), l, newMadeUp(2_000))
	require.NoError(t, err)
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
