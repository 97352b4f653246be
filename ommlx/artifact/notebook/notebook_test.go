package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

func TestProgressFoldsFinishedTrainings(t *testing.T) {
	var cell trainings
	html := func(line string, ended bool) string {
		return strings.ReplaceAll(cell.html(line, ended), ` style="word-break: normal"`, "")
	}
	require.Equal(t, "<pre>a &lt;50%&gt;</pre>", html("a <50%>", false))
	require.Equal(t, "<pre>a</pre>", html("a", true))
	require.Equal(t, "<pre>a</pre><pre>b</pre>", html("b", false))
	require.Equal(t, "<pre>a\nb</pre>", html("b", true))
	require.Equal(t, "<details><summary>2 trainings have ended.</summary><pre>a\nb</pre></details><pre>c</pre>",
		html("c", true))
}

// emptyFigures returns a folder of notebooks next to empty folders of figures.
func emptyFigures(t *testing.T) (notebooks string) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "figures", "quick"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(root, "notebooks"), 0o755))
	return filepath.Join(root, "notebooks")
}

var fig9 = report.Exhibit{Kind: report.Figure, Name: "fig9",
	Experiments: func(run.Profile) []run.Experiment { return nil }}

func TestKeptPrefersPaperScale(t *testing.T) {
	t.Chdir(emptyFigures(t))
	var v struct{ X int }
	require.False(t, Kept(fig9, &v))
	require.NoError(t, os.WriteFile("../figures/quick/fig9.json", []byte(`{"x":1}`), 0o644))
	require.True(t, Kept(fig9, &v))
	require.Equal(t, 1, v.X)
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{"x":2}`), 0o644))
	require.True(t, Kept(fig9, &v))
	require.Equal(t, 2, v.X)
}

// A cell is a process, so this test runs itself as one.
func TestDamagedFileEndsCellWithError(t *testing.T) {
	const asCell = "OMM_TEST_CELL_FAILS"
	if os.Getenv(asCell) != "" {
		Kept(fig9, new(any))
		os.Exit(0) // not reached: Kept ends the cell
	}
	t.Chdir(emptyFigures(t))
	require.NoError(t, os.WriteFile("../figures/fig9.json", []byte(`{`), 0o644))
	cell := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cell.Env = append(os.Environ(), asCell+"=1")
	out, err := cell.CombinedOutput()
	require.Error(t, err, "the cell ends with an exit code")
	assert.Contains(t, string(out), "figures/fig9.json: ")
	assert.NotContains(t, string(out), "goroutine")
}
