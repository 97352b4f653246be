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

// TestCompareTellsWhatDiffers in a clone of a repository with one figure.
func TestCompareTellsWhatDiffers(t *testing.T) {
	const file = "figures/fig3_grids.json"
	committed := testkit.Must(os.ReadFile(filepath.Join(testkit.Committed(t, file), file)))
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("go.mod", []byte("module "+fsx.Module+"\n"), 0o644))
	compare := func(args ...string) (code int, said string) {
		code, stdout, stderr := omm(t, append([]string{"compare"}, args...)...)
		return code, stdout + stderr
	}
	code, said := compare()
	require.Equal(t, exitFailure, code)
	require.Contains(t, said, "there is neither a figure nor a table in ")
	require.NoError(t, os.Mkdir("figures", 0o755))
	require.NoError(t, os.WriteFile(file, committed, 0o644))
	code, said = compare()
	require.Equal(t, exitFailure, code)
	require.Contains(t, said, "git ")
	for _, args := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m x"} {
		out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	same := func(args ...string) {
		t.Helper()
		code, said = compare(args...)
		require.Equal(t, exitOK, code, said)
		require.Equal(t, "all 1 say the same as the committed ones\n", said)
	}
	same()
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(committed), `"states": 11`, `"states": 12`, 1)),
		0o644))
	code, said = compare()
	require.Equal(t, exitOK, code)
	require.Contains(t, said, file+": it differs")
	require.Contains(t, said, "0 of 1 ")

	other := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(other, "figures"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(other, file), committed, 0o644))
	same("--out", other, "fig3")
}

// TestReportMakesItsFolder in a checkout that nothing was built in.
func TestReportMakesItsFolder(t *testing.T) {
	t.Chdir(testkit.Committed(t, "."))
	code, _, stderr := omm(t, "report")
	require.Equal(t, exitOK, code, stderr)
	require.FileExists(t, ".omm/report.html")
}
