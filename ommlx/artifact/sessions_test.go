package artifact_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// git runs it in a folder.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// stop trains an experiment up to its first checkpoint.
func stop(t *testing.T, l *run.Lab, e madeUp) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := run.Run(ctx, l, e)
	require.ErrorIs(t, err, train.ErrInterrupted)
}

// TestATrainingByTwoBuildsNamesBoth: begun with changes that were not committed, and ended by a build without, a
// training is one of which nobody can say what computed it.
func TestATrainingByTwoBuildsNamesBoth(t *testing.T) {
	t.Setenv(backend.CoresVariable, "1")
	root := t.TempDir()
	git(t, root, "init", "--quiet")
	git(t, root, "commit", "--quiet", "--allow-empty", "--message", "one")
	program := filepath.Join(root, "ommlx", "program.go")
	require.NoError(t, os.Mkdir(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, nil, 0o644))
	var said bytes.Buffer
	l, e := worker(root, &said), newMadeUp(2_000).with(1)
	stop(t, l, e)
	git(t, root, "add", "ommlx")
	git(t, root, "commit", "--quiet", "--message", "two")
	require.NotContains(t, said.String(), "was begun by")
	both := trained(t, l, e)
	require.Contains(t, said.String(), "this training was begun by commit ")
	sessions := both.Provenance.Sessions
	require.Len(t, sessions, 2)
	require.Contains(t, sessions[0].Engine, both.Provenance.Backend)
	require.Equal(t, both.Provenance.Device, sessions[0].Device)
	require.Equal(t, 1, sessions[0].Cores)
	b, _ := testkit.Must2(backend.Open())
	require.EqualValues(t, b.NumDevices(), both.Provenance.Devices)
	require.Equal(t, both.Provenance.Devices, sessions[0].Devices)
	require.Equal(t, sessions[0].Commit+", then "+sessions[1].Commit, both.Provenance.Commit)
	require.True(t, run.Uncommitted(sessions[0].Commit))
	require.False(t, run.Uncommitted(sessions[1].Commit))
	require.True(t, run.Uncommitted(both.Provenance.Commit))
	_, origin := testkit.Must2(report.Gather(l, []madeUp{e}))
	require.Contains(t, origin.Uncommitted(), "1 of 1 trainings")

	// A training that goes on as it began is of one session, which is not told twice.
	e.Target = 4
	stop(t, l, e)
	alone := trained(t, l, e)
	require.Empty(t, alone.Provenance.Sessions)
	require.Equal(t, sessions[1].Commit, alone.Provenance.Commit)

	// Another machine is another session, of the same build.
	e.Target = 5
	t.Setenv(backend.CoresVariable, "1")
	stop(t, l, e)
	t.Setenv(backend.CoresVariable, "")
	if backend.Cores() == 1 {
		t.Skip("this machine has one core")
	}
	moved := trained(t, l, e)
	require.Len(t, moved.Provenance.Sessions, 2)
	require.Equal(t, sessions[1].Commit, moved.Provenance.Commit)
}
