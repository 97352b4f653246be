package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// small is an experiment that takes no time.
func small(runs, steps int) rl.Experiment {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, runs).WithSteps(steps)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	return e
}

func smallJob(runs, steps int) run.Job { return testkit.Must(run.NewJob(small(runs, steps))) }

// stopper is a writer that calls itself on each write.
type stopper func()

func (s stopper) Write(line []byte) (int, error) {
	s()
	return len(line), nil
}

// A checkpoint of another training in one stage is reported after the later stages.
func TestRunContinuesAfterACheckpointOfAnotherTraining(t *testing.T) {
	jobs := []run.Job{smallJob(1, 20), smallJob(1, 30)}
	root := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	begin := &run.Lab{Root: root, Profile: run.Smoke, Out: stopper(stop)} // stops at its first line
	_, _, err := begin.Work(ctx, jobs[:1])
	require.ErrorIs(t, err, train.ErrInterrupted)
	runs := filepath.Join(root, ".omm", "runs")
	require.NoError(t, os.Rename(filepath.Join(runs, jobs[0].Key), filepath.Join(runs, jobs[1].Key)))

	l := &run.Lab{Root: root, Profile: run.Smoke}
	require.ErrorIs(t, work(t.Context(), l, [][]run.Job{jobs[1:], jobs[:1]}, 0), train.ErrForeign)
	require.Len(t, testkit.Must(l.Open(jobs)), 1)
}

// TestRunEndsWithOneLine: a spent budget is not an error, but an interruption by the user is. The same call then trains
// the other runs.
func TestRunEndsWithOneLine(t *testing.T) {
	job := smallJob(3, 20)
	stages := [][]run.Job{{job.First(1)}, {job}} // three seeds; one is in two stages
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx    context.Context
		budget time.Duration
		stages [][]run.Job
		err    error
		want   string
	}{
		{t.Context(), time.Nanosecond, stages, nil, "0 more runs have a result; the time is up with 3 to go: " +
			"run the same command again to resume"},
		{stopped, time.Hour, stages, train.ErrInterrupted, "0 more runs have a result; 3 to go"},
		{t.Context(), time.Hour, stages[:1], nil, "1 more runs have a result; 2 to go"},
		{t.Context(), 0, stages, nil, "2 more runs have a result"},
	} {
		var out bytes.Buffer
		err := summed(c.ctx, &out, l, slices.Concat(stages...), c.budget, func() error {
			return work(c.ctx, l, c.stages, c.budget)
		})
		require.ErrorIs(t, err, c.err)
		assert.Equal(t, c.want+"\n", out.String())
	}
}

// lines returns the output of a function, sorted, since workers write in any order.
func lines(t *testing.T, run func(out *bytes.Buffer) error) ([]string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(&out)
	list := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(list)
	return list, err
}

func TestWorkersShareTheCores(t *testing.T) {
	t.Setenv(backend.CoresVariable, "1")
	for script, want := range map[string][]string{
		"echo of $NPROC cores; echo aloud >&2": {"1│ aloud", "1│ of 1 cores", "2│ aloud", "2│ of 1 cores"},
		// An empty line, a long line and a last line without a newline arrive whole.
		"head -c 131072 /dev/zero | tr '\\0' x; echo; echo; printf end": {
			"1│ ", "1│ end", "1│ " + strings.Repeat("x", 131072), "2│ ", "2│ end", "2│ " + strings.Repeat("x", 131072)},
	} {
		assert.Equal(t, want, testkit.Must(lines(t, func(out *bytes.Buffer) error {
			return inWorkers(t.Context(), out, 2, "sh", "-c", script)
		})))
	}
}

// The error names the failed worker, and the other worker finishes.
func TestFailedWorkerIsNamed(t *testing.T) {
	first := t.TempDir() + "/first" // the worker that creates this folder fails
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(t.Context(), out, 2, "sh", "-c", "mkdir "+first+" 2>/dev/null && exit 3; sleep 0.2; echo done")
	})
	require.ErrorContains(t, err, "of 2: exit status 3")
	require.Len(t, got, 1)
	assert.Contains(t, got[0], "│ done")
	assert.NotErrorIs(t, err, train.ErrInterrupted)
}

// Workers receive an interrupt so that they save checkpoints. This is not a failure.
func TestWorkersAreInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ready := t.TempDir()
	go func() {
		defer stop()
		for made := 0; made < 2; time.Sleep(time.Millisecond) { // one file each
			files, _ := os.ReadDir(ready)
			made = len(files)
		}
	}()
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(ctx, out, 2, "sh", "-c",
			"trap 'echo saved; exit 1' INT; mktemp -p "+ready+" >/dev/null; while :; do sleep 0.02; done")
	})
	require.ErrorIs(t, err, train.ErrInterrupted)
	assert.Equal(t, []string{"1│ saved", "2│ saved"}, got)
}
