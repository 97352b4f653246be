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
	require.NoError(t, os.WriteFile("go.mod", []byte("module "+fsx.Module+"\n"), 0o644))
	compare := func(args ...string) (code int, out string) {
		code, stdout, stderr := omm(t, append([]string{"compare"}, args...)...)
		return code, stdout + stderr
	}
	require.NoError(t, os.Mkdir("figures", 0o755))
	require.NoError(t, os.WriteFile(file, committed, 0o644))
	code, out := compare()
	require.Equal(t, exitFailure, code)
	require.Contains(t, out, "git ")
	for _, args := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m x"} {
		out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	same := func(args ...string) {
		t.Helper()
		code, out = compare(args...)
		require.Equal(t, exitOK, code, out)
		require.Contains(t, out, "1 of 1 ")
	}
	code, out = compare()
	require.Equal(t, exitFailure, code)
	require.Contains(t, out, "nothing has been trained here yet")
	require.NoError(t, os.MkdirAll(".omm/results", 0o755))
	same()
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(committed), `"states": 11`, `"states": 12`, 1)),
		0o644))
	code, out = compare()
	require.Equal(t, exitOK, code)
	require.Contains(t, out, file+": differs")
	require.Contains(t, out, "0 of 1 ")

	other := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(other, "figures"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(other, file), committed, 0o644))
	same("--out", other, "fig3")
}

// TestReportMakesItsFolder runs in a checkout without a build.
func TestReportMakesItsFolder(t *testing.T) {
	t.Chdir(testkit.Committed(t, "."))
	code, _, stderr := omm(t, "report")
	require.Equal(t, exitOK, code, stderr)
	require.FileExists(t, ".omm/report.html")
}
