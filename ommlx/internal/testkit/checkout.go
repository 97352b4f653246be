// Package testkit runs graph functions in tests, on tensors or on an [Array], and gives tests access to committed
// files, the paper's source, a stand-in for Python, and PyTorch. It compares arrays, counts with a distribution,
// damaged files with intact ones, and the speed of two functions.
package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

// Committed returns a folder with the given files and folders of the checkout as in the newest commit, whatever
// commands have since written into the checkout. It skips the test without a git history.
func Committed(t testing.TB, paths ...string) (root string) {
	t.Helper()
	own, err := fsx.Checkout()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(own, ".git")); err != nil {
		t.Skip("this checkout has no git history, which is needed to read committed files")
	}
	root = t.TempDir()
	archive := filepath.Join(t.TempDir(), "archive.tar")
	git := []string{"git", "-C", own, "archive", "--output", archive, "HEAD", "--"}
	for _, command := range [][]string{append(git, paths...), {"tar", "-xf", archive, "-C", root}} {
		out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return root
}

// Paper returns the paper's LaTeX source, in shared/paper next to the checkout. It skips the test without it.
func Paper(t *testing.T) string {
	t.Helper()
	text := PaperIfThere(t)
	if text == "" {
		t.Skip("the paper's source is not in shared/paper next to this checkout")
	}
	return text
}

// PaperNumbers returns the numbers of each row that has some, in the table that follows the given words in the paper.
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

// PaperIfThere is [Paper], but returns "" without the paper.
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
