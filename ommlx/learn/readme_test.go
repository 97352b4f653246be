package learn_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestREADMEProgramRunsFromAnotherModule runs the README's program in a separate module that replaces omm-go by the
// clone, and compares its output with the README.
func TestREADMEProgramRunsFromAnotherModule(t *testing.T) {
	root := testkit.Must(filepath.Abs(filepath.Join("..", "..")))
	readme := testkit.Must(os.ReadFile(filepath.Join(testkit.Committed(t, "README.md"), "README.md")))
	shown := regexp.MustCompile("(?s)```go\n(package main\n.*?// Output: (.*?\n)}\n)```").FindSubmatch(readme)
	require.Len(t, shown, 3, "the README has a program and its output")
	require.Contains(t, string(readme), "go mod edit -require=omm-go@v0.0.0 -replace=omm-go=../omm-go")

	dir := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), shown[1], 0o644))
	sums := testkit.Must(os.ReadFile(filepath.Join(root, "go.sum")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	var out []byte
	for _, command := range [][]string{{"mod", "init", "mine"},
		{"mod", "edit", "-require=omm-go@v0.0.0", "-replace=omm-go=" + root}, {"mod", "tidy"}, {"run", "."}} {
		cmd := exec.Command("go", command...)
		var stderr bytes.Buffer
		var err error
		cmd.Dir, cmd.Stderr = dir, &stderr
		out, err = cmd.Output()
		require.NoError(t, err, "go %v: %s", command, &stderr)
	}
	require.Equal(t, string(shown[2]), string(out))
}
