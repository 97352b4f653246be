package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// small is an experiment that takes no time.
func small(runs, steps int) rl.Experiment {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, runs).WithSteps(steps)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	return e
}

// stopper is a writer that calls itself on each write.
type stopper func()

func (s stopper) Write(line []byte) (int, error) {
	s()
	return len(line), nil
}

// A checkpoint of another training in one stage is reported after the later stages.
func TestRunContinuesAfterACheckpointOfAnotherTraining(t *testing.T) {
	list := []run.Experiment{small(1, 20), small(1, 30)}
	root := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	begin := &run.Lab{Root: root, Profile: run.Smoke, PureGo: true, Out: stopper(stop)} // stops at its first line
	require.ErrorIs(t, begin.Work(ctx, list[:1]), train.ErrInterrupted)
	runs := filepath.Join(root, ".omm", "runs")
	require.NoError(t, os.Rename(filepath.Join(runs, run.Key(list[0])), filepath.Join(runs, run.Key(list[1]))))

	l := &run.Lab{Root: root, Profile: run.Smoke, PureGo: true}
	require.ErrorIs(t, work(t.Context(), l, [][]run.Experiment{list[1:], list[:1]}, 0), train.ErrForeign)
	require.Len(t, testkit.Must(l.Open(list)), 1)
}

// TestRunStopsAndContinues: a spent budget is not an error, but an interruption by the user is. The same call then
// trains the other runs.
func TestRunStopsAndContinues(t *testing.T) {
	all := []run.Experiment{small(3, 20)}
	stages := [][]run.Experiment{{small(1, 20)}, all} // three seeds; one is in two stages
	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true, Out: &out}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx    context.Context
		budget time.Duration
		err    error
		left   int
	}{{t.Context(), time.Nanosecond, nil, 3}, {stopped, time.Hour, train.ErrInterrupted, 3}, {t.Context(), 0, nil, 0}} {
		require.ErrorIs(t, work(c.ctx, l, stages, c.budget), c.err)
		require.Len(t, testkit.Must(l.Open(all)), c.left)
	}
	require.Contains(t, out.String(), "\n0 runs to go")
}
