package artifact_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
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

// TestATrainingByTwoBuildsNamesBoth: a training that one build begins, with changes that were not committed, and another
// one ends has the provenance of both. A training that one build begins and ends has one session.
func TestATrainingByTwoBuildsNamesBoth(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "--quiet")
	git(t, root, "commit", "--quiet", "--allow-empty", "--message", "one")
	program := filepath.Join(root, "ommlx", "program.go")
	require.NoError(t, os.Mkdir(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, nil, 0o644))
	l, e := worker(root, nil), newMadeUp(2_000).with(1)
	stop(t, l, e)
	git(t, root, "add", "ommlx")
	git(t, root, "commit", "--quiet", "--message", "two")
	both := trained(t, l, e)
	sessions := both.Provenance.Sessions
	require.Len(t, sessions, 2)
	require.Equal(t, sessions[0].Commit+", then "+sessions[1].Commit, both.Provenance.Commit)
	require.True(t, run.Uncommitted(sessions[0].Commit))
	require.False(t, run.Uncommitted(sessions[1].Commit))
	require.True(t, run.Uncommitted(both.Provenance.Commit))
	_, origin := testkit.Must2(report.Gather(l, []madeUp{e}))
	require.Contains(t, origin.Uncommitted(), "1 of 1 trainings")

	e.Target = 4
	stop(t, l, e)
	alone := trained(t, l, e)
	require.Empty(t, alone.Provenance.Sessions)
	require.Equal(t, sessions[1].Commit, alone.Provenance.Commit)
}
