package testkit

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// Paper returns the paper's LaTeX source, in shared/paper beside the checkout. It skips the test where that is not
// there.
func Paper(t *testing.T) string {
	t.Helper()
	text := PaperIfThere(t)
	if text == "" {
		t.Skip("the paper's source is not beside this checkout, in shared/paper")
	}
	return text
}

// PaperNumbers returns the numbers of each row that has some, in the table of the paper that follows these words.
func PaperNumbers(t *testing.T, after string) (rows [][]float64) {
	t.Helper()
	_, table, found := strings.Cut(Paper(t), after)
	require.True(t, found, after)
	table, _, _ = strings.Cut(table, `\end{table`)
	for _, line := range strings.Split(table, `\\`) {
		_, cells, _ := strings.Cut(line, "&")
		var row []float64
		for _, text := range regexp.MustCompile(`\d+\.\d+`).FindAllString(cells, -1) {
			row = append(row, Must(strconv.ParseFloat(text, 64)))
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// PaperIfThere is [Paper], and empty where that is not there.
func PaperIfThere(t *testing.T) string {
	t.Helper()
	root, err := fsx.Checkout()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "..", "shared", "paper", "paper.tex"))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	return string(text)
}
