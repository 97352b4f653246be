package artifact

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerdictFollowsItsRule(t *testing.T) {
	assert.Equal(t, NotAtScale, verdict(Quick, 0.9, 0.01, 0.9, 0.01), "a quick run is never a reproduction")
	assert.Equal(t, Reproduced, verdict(Paper, 0.90, 0.03, 0.97, 0.03))
	assert.Equal(t, Differs, verdict(Paper, 0.90, 0.01, 0.97, 0.01))
	assert.Equal(t, Reproduced, verdict(Paper, 0.905, 0, 0.9, 0), "a hundredth is no difference")
	assert.Equal(t, Differs, verdict(Paper, math.NaN(), 0, 0.9, 0))
}

func TestTableIsWrittenInFourForms(t *testing.T) {
	lab, _ := newTestLab(t)
	text := tableText{Title: "T_1", Header: []string{"Method", "γ"},
		Rows: [][]string{{"a, b", "0.5 ± 0.1"}, {"50 %", "x_y"}}, Note: "note"}
	require.NoError(t, lab.table("t", map[string]int{"x": 1}, text))
	read := func(ending string) string {
		b, err := os.ReadFile(filepath.Join(lab.Root, ".omm", "smoke", "tables", "t."+ending))
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
	assert.Equal(t, `V\*V\*ᵀ, M[f]\(x), &#124;f&#124; &lt; 1: `+"`go test -run 'a\\|b*'`.", Markdown("V*V*ᵀ, M[f](x), |f| < 1: `go test -run 'a|b*'`."))
}

func TestTable2HasThePapersShape(t *testing.T) {
	for _, part := range tab2Parts() {
		assert.Len(t, part.mean, len(tab2Environments()))
		assert.Len(t, part.std, len(tab2Environments()))
	}
}

func TestMissingNumbersAreSaid(t *testing.T) {
	d := Tab2Data{Cells: []Tab2Cell{
		{Part: "c", Environment: "GridRoom-4", PaperMean: 0.8697, PaperStd: 0.0045, Verdict: NotAtScale},
		{Part: "a", Environment: "GridRoom-4", PaperMean: 0.6414, PaperStd: 0.019, Verdict: Differs, Result: &LaplacianResult{}},
	}}
	text := d.text().markdown()
	assert.Contains(t, text, "| 0.8697 ± 0.0045 | not run |")
	assert.Contains(t, text, "all runs diverged")
}
