package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// TestCompareListsDifferences runs in a clone of a repository with one figure.
func TestCompareListsDifferences(t *testing.T) {
	const file = "figures/fig3_grids.json"
	committed := testkit.Must(os.ReadFile(filepath.Join(testkit.Committed(t, file), file)))
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module "+fsx.Module+"\n")
	write(t, file, string(committed))
	expect := func(want int, words string, args ...string) {
		t.Helper()
		code, stdout, stderr := omm(t, append([]string{"compare"}, args...)...)
		require.Equal(t, want, code, stderr)
		require.Contains(t, stdout+stderr, words)
	}
	expect(exitFailure, "git ")
	for _, args := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m x"} {
		out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	expect(exitFailure, "nothing has been trained here yet")
	require.NoError(t, os.MkdirAll(".omm/results", 0o755))
	expect(exitOK, "1 of 1 ")
	write(t, file, strings.Replace(string(committed), `"states": 11`, `"states": 12`, 1))
	expect(exitOK, file+": differs")
	expect(exitOK, "0 of 1 ")

	other := t.TempDir()
	write(t, filepath.Join(other, file), string(committed))
	expect(exitOK, "1 of 1 ", "--out", other, "fig3")
}

// TestReportMakesItsFolder runs in a checkout without a build.
func TestReportMakesItsFolder(t *testing.T) {
	t.Chdir(testkit.Committed(t, "."))
	code, _, stderr := omm(t, "report")
	require.Equal(t, exitOK, code, stderr)
	require.FileExists(t, ".omm/report.html")
}
