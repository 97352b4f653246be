package report

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/testkit"
)

func TestTableIsWrittenInFourForms(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke}
	text := Text{Title: "T_1", Header: []string{"Method", "γ"},
		Rows: [][]string{{"a, b", "0.5 ± 0.1"}, {"50 %", "x_y"}}, Note: "note"}
	require.NoError(t, WriteTable(l, "t", map[string]int{"x": 1}, text))
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

func TestMarkdownShowsTextAsItIs(t *testing.T) {
	assert.Equal(t, `V\*V\*ᵀ, M[f]\(x), &#124;f&#124; &lt; 1: `+"`go test -run 'a\\|b*'`.",
		Markdown("V*V*ᵀ, M[f](x), |f| < 1: `go test -run 'a|b*'`."))
}

// Every sign that a committed table uses is one that its LaTeX form can write.
func TestTheCommittedTablesCanBeTypeset(t *testing.T) {
	files := testkit.Must(filepath.Glob(filepath.Join(testkit.Committed(t, "tables/*.csv"), "tables", "*.csv")))
	require.NotEmpty(t, files)
	for _, name := range files {
		file := testkit.Must(os.Open(name))
		rows := testkit.Must(csv.NewReader(file).ReadAll())
		require.NoError(t, file.Close())
		for _, cells := range rows {
			for _, text := range cells {
				for _, r := range latexText(text) {
					require.Less(t, r, rune(0x250), "%s, row %s: %q in %q", filepath.Base(name), cells[0], r, text)
				}
			}
		}
	}
	require.Equal(t,
		`5 \% of $\hat{M}$[f], $\lambda$\_1 $\ge$ 0: \texttt{go test -run \textquotesingle{}\^{}T\$\textquotesingle{}}`,
		latexText("5 % of M\u0302[f], λ_1 ≥ 0: `go test -run '^T$'`"))
}
