package report

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
)

// Every sign that a committed table uses is one that its LaTeX form can write.
func TestTheCommittedTablesCanBeTypeset(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Committed(t, "tables/*.csv"), "tables", "*.csv"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(t, err)
		rows, err := csv.NewReader(file).ReadAll()
		require.NoError(t, err)
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
