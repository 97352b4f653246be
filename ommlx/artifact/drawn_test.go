package artifact_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// TestReportsOfKeptResults: without training, a report shows the kept seeds. It needs one seed of every experiment
// unless its exhibit is Partial.
func TestReportsOfKeptResults(t *testing.T) {
	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Target: t.TempDir(), Profile: run.Paper, Out: &out, KeptOnly: true}
	first, second := newMadeUp(20), newMadeUp(20)
	second.Target = 1
	written := func(partial bool) string {
		t.Helper()
		x := exhibit(first.with(1, 2, 3), second)
		x.Partial = partial
		dir := filepath.Join(l.Target, "tables")
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, report.Make(t.Context(), l, []report.Exhibit{x}))
		text, err := os.ReadFile(filepath.Join(dir, "tab9_made_up.csv"))
		if err != nil {
			return ""
		}
		return string(text)
	}
	require.Empty(t, written(false)+written(true))
	trained(t, l, first.with(2))
	require.Empty(t, written(false))
	require.Contains(t, out.String(), second.Label())
	require.Equal(t, "Runs\n1 runs\n0 runs\n", written(true))
	trained(t, l, first.with(1))
	trained(t, l, second.with(1))
	require.Equal(t, "Runs\n2 runs\n1 runs\n", written(false))
	require.Len(t, results(t, l), 3, "nothing was trained")
	l.KeptOnly = false
	require.Equal(t, "Runs\n3 runs\n2 runs\n", written(false))
}

// TestUncommittedProgramKeepsCommittedFiles: a program with uncommitted changes does not replace committed files at the
// paper's scale, but writes to other folders. If only the origin of the drawing differs, it writes nothing.
func TestUncommittedProgramKeepsCommittedFiles(t *testing.T) {
	var out bytes.Buffer
	root, elsewhere := t.TempDir(), t.TempDir()
	x := exhibit(newMadeUp(20).with(1))
	redraw := func(target string) string {
		out.Reset()
		l := &run.Lab{Root: root, Target: target, Profile: run.Paper, Out: &out, KeptOnly: true}
		require.NoError(t, report.Make(t.Context(), l, []report.Exhibit{x}))
		return out.String()
	}
	trained(t, &run.Lab{Root: root, Profile: run.Paper}, newMadeUp(20).with(1))
	file := filepath.Join(root, x.File(run.Paper))
	require.Contains(t, redraw(""), "not written")
	require.NoFileExists(t, file)
	redraw(elsewhere)
	require.FileExists(t, filepath.Join(elsewhere, x.File(run.Paper)))

	git := exec.Command("sh", "-c", "git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x")
	git.Dir = root
	require.NoError(t, git.Run())
	redraw("")
	drawn := testkit.Must(os.ReadFile(file))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644))
	require.Contains(t, redraw(""), "no number has changed", "another commit drew the same")
	require.Equal(t, drawn, testkit.Must(os.ReadFile(file)))
	table := strings.TrimSuffix(file, "json") + "md"
	require.NoError(t, os.WriteFile(table, []byte("older"), 0o644))
	require.Contains(t, redraw(root), "not written")
	require.Equal(t, "older", string(testkit.Must(os.ReadFile(table))))
}

// TestQuickFilesStayIfNoNumberChanged: a quick table trained again with the same numbers, at another time, stays.
func TestQuickFilesStayIfNoNumberChanged(t *testing.T) {
	x := exhibit(newMadeUp(20).with(1))
	made := func(l *run.Lab) (out string, text []byte) {
		var said bytes.Buffer
		l.Profile, l.PureGo, l.Out = run.Quick, true, &said
		require.NoError(t, report.Make(t.Context(), l, []report.Exhibit{x}))
		return said.String(), testkit.Must(os.ReadFile(filepath.Join(cmp.Or(l.Target, l.Root), x.File(run.Quick))))
	}
	first, again, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	_, committed := made(&run.Lab{Root: first})
	out, text := made(&run.Lab{Root: again, Target: first})
	require.Contains(t, out, "no number has changed")
	require.Equal(t, string(committed), string(text))
	_, text = made(&run.Lab{Root: again, Target: elsewhere})
	require.NotEqual(t, string(committed), string(text), "trained at another time")
	changed := bytes.Replace(committed, []byte(`"note": ""`), []byte(`"note": "older"`), 1)
	require.NotEqual(t, committed, changed)
	require.NoError(t, os.WriteFile(filepath.Join(first, x.File(run.Quick)), changed, 0o644))
	out, _ = made(&run.Lab{Root: again, Target: first})
	require.Contains(t, out, "wrote")
}

// TestKeptResultsGiveTheCommittedExhibits draws every figure and table at the paper's scale again and compares its JSON
// with the committed one, except the origin of the drawing.
func TestKeptResultsGiveTheCommittedExhibits(t *testing.T) {
	root := testkit.Committed(t, run.Committed, "figures/*.json", "tables/*.json")
	l := &run.Lab{Root: root, Target: t.TempDir(), Profile: run.Paper, KeptOnly: true}
	exhibits := append(artifact.Figures(), artifact.Tables()...)
	require.NoError(t, report.Make(t.Context(), l, exhibits))
	compared := 0
	for _, x := range exhibits {
		var trees [2]any
		for i, folder := range []string{root, l.Target} {
			text, err := os.ReadFile(filepath.Join(folder, x.File(run.Paper)))
			if os.IsNotExist(err) && x.Trains() {
				continue // no result at that scale yet
			}
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &trees[i]))
			report.EachObject(trees[i], func(at map[string]any) { delete(at, "drawn") })
			compared++
		}
		require.True(t, reflect.DeepEqual(trees[0], trees[1]), x.Name)
	}
	require.Greater(t, compared, 2*16)
}
