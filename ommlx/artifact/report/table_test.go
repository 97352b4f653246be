package report

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

func TestWriteTableWritesFourFormats(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke}
	text := Text{Title: "T_1", Header: []string{"Method", "γ"},
		Rows: [][]string{{"a, b", "0.5 ± 0.1"}, {"50 %", "x_y"}}, Note: "note"}
	require.NoError(t, Exhibit{Kind: Table, Name: "t"}.write(l, Content{Data: map[string]int{"x": 1}, Text: text}))
	read := func(ending string) string {
		return string(testkit.Must(os.ReadFile(filepath.Join(l.Root, ".omm", "smoke", "tables", "t."+ending))))
	}
	rows := testkit.Must(csv.NewReader(strings.NewReader(read("csv"))).ReadAll())
	assert.Equal(t, append([][]string{text.Header}, text.Rows...), rows)
	assert.Contains(t, read("md"), "| a, b | 0.5 ± 0.1 |")
	assert.Contains(t, read("tex"), `50 \% & x\_y \\`)
	assert.Contains(t, read("tex"), `0.5 $\pm$ 0.1`)
	assert.JSONEq(t, `{"x":1}`, read("json"))
}

func TestMarkdownEscapesText(t *testing.T) {
	assert.Equal(t, `V\*V\*ᵀ, M[f]\(x), &#124;f&#124; &lt; 1: `+"`go test -run 'a\\|b*'`.",
		Markdown("V*V*ᵀ, M[f](x), |f| < 1: `go test -run 'a|b*'`."))
}

// LaTeX has every sign in the committed tables.
func TestCommittedTablesCanBeTypeset(t *testing.T) {
	tables := filepath.Join(testkit.Committed(t, "tables/*.csv"), "tables")
	files := append(testkit.Must(filepath.Glob(filepath.Join(tables, "*.csv"))),
		testkit.Must(filepath.Glob(filepath.Join(tables, "quick", "*.csv")))...)
	require.NotEmpty(t, files)
	for _, name := range files {
		file := testkit.Must(os.Open(name))
		rows := testkit.Must(csv.NewReader(file).ReadAll())
		require.NoError(t, file.Close())
		for _, cells := range rows {
			for _, text := range cells {
				for _, r := range latex.Replace(text) {
					require.Less(t, r, rune(0x250), "%s, row %s: %q in %q", filepath.Base(name), cells[0], r, text)
				}
			}
		}
	}
}

func TestNotesCountTrainings(t *testing.T) {
	o := Origin{Trained: []Trained{{Commit: "abc"}, {Commit: "abc"}}}
	require.Empty(t, o.Uncommitted())
	o.Trained[1].Commit = "abc+"
	require.Equal(t, "1 of 2 trainings were made with changes that were not committed and must be made again",
		o.Uncommitted())
	require.Equal(t, "Not run yet: 1 of 2.", NotRun([]*int{nil, new(int)}))
	require.Empty(t, NotRun([]*int{new(int)}))
}
