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
)

func TestTableIsWrittenInFourForms(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke}
	text := Text{Title: "T_1", Header: []string{"Method", "γ"},
		Rows: [][]string{{"a, b", "0.5 ± 0.1"}, {"50 %", "x_y"}}, Note: "note"}
	require.NoError(t, WriteTable(l, "t", map[string]int{"x": 1}, text))
	read := func(ending string) string {
		b, err := os.ReadFile(filepath.Join(l.Root, ".omm", "smoke", "tables", "t."+ending))
		require.NoError(t, err)
		return string(b)
	}
	rows, err := csv.NewReader(strings.NewReader(read("csv"))).ReadAll()
	require.NoError(t, err)
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
