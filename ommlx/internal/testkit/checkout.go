// Package testkit contains helpers for tests: graph functions of tensors or of an [Array], objectives at a [Point],
// committed files, the paper's source, PyTorch, damaged files and benchmarks of two alternatives.
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

// Committed returns a folder with the given files and folders as in the newest commit, without what commands have since
// written. It skips the test without a git history.
func Committed(t testing.TB, paths ...string) (root string) {
	t.Helper()
	own, err := fsx.Checkout()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(own, ".git")); err != nil {
		t.Skip("this checkout has no git history")
	}
	root = t.TempDir()
	archive := filepath.Join(t.TempDir(), "archive.tar")
	git := []string{"git", "-C", own, "archive", "--output", archive, "HEAD", "--"}
	for _, command := range [][]string{append(git, paths...), {"tar", "-xf", archive, "-C", root}} {
		out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return root
}

// paper returns the paper's LaTeX source, in shared/paper next to the checkout, or "" without it.
func paper(t testing.TB) string {
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

// Paper returns the paper's LaTeX source. It skips the test without it.
func Paper(t testing.TB) string {
	t.Helper()
	text := paper(t)
	if text == "" {
		t.Skip("the paper's source is not in shared/paper next to this checkout")
	}
	return text
}

// RequireInPaper requires the paper's source, if it exists, to contain the words, apart from line breaks.
func RequireInPaper(t testing.TB, words string) {
	t.Helper()
	if text := paper(t); text != "" {
		require.Contains(t, strings.Join(strings.Fields(text), " "), words)
	}
}

// PaperNumbers returns the numbers in the rows of the table that follows the given words in the paper.
func PaperNumbers(t testing.TB, after string) (rows [][]float64) {
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
