package artifact_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// TestMain also runs as a worker in child processes of a test, where it works on the fifty jobs.
func TestMain(m *testing.M) {
	root := os.Getenv(workIn)
	if root == "" {
		os.Exit(m.Run())
	}
	l := worker(root, os.Stdout)
	l.CheckpointEvery = 1
	l.Sweep()
	jobs, err := run.NewJobs(fiftyExperiments())
	if err == nil {
		err = l.Work(context.Background(), jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func worker(root string, out io.Writer) *run.Lab {
	return &run.Lab{Root: root, Profile: run.Smoke, Out: out}
}

// madeUpExperiments returns experiments with three seeds, one, two and two; the last two are the same.
func madeUpExperiments() []madeUp {
	list := make([]madeUp, 4)
	for i, seeds := range [][]int64{{1, 2, 3}, {1}, {1, 2}, {1, 2}} {
		list[i] = newMadeUp(2_000).with(seeds...)
		list[i].Target = float64(min(i, 2))
	}
	return list
}

// The queue trains the first seed of every experiment before any second seed, and each seed once.
func TestQueueTrainsOneSeedOfEverythingFirst(t *testing.T) {
	var out bytes.Buffer
	l, jobs := worker(t.TempDir(), &out), testkit.Must(run.NewJobs(madeUpExperiments()))
	require.NoError(t, l.Work(t.Context(), jobs))
	var started []string
	begins := regexp.MustCompile(`(?m)^\d+ of \d+: made up, (.* seed \d+)$`)
	for _, match := range begins.FindAllStringSubmatch(out.String(), -1) {
		started = append(started, match[1])
	}
	require.Equal(t, []string{"target 0 seed 1", "target 1 seed 1", "target 2 seed 1", "target 0 seed 2",
		"target 2 seed 2", "target 0 seed 3"}, started)
	out.Reset()
	require.NoError(t, l.Work(t.Context(), jobs))
	require.Empty(t, out.String(), "every seed is kept")
}

// spent is a context that ends after a number of calls to Err.
type spent struct {
	context.Context
	asked, after int
}

func (s *spent) Err() error {
	if s.asked++; s.asked > s.after {
		return context.DeadlineExceeded
	}
	return nil
}

// A queue that runs out of time keeps a checkpoint of the current training, and does not start another. After resuming
// it reaches the results of an undisturbed queue.
func TestQueueStopsAtACheckpoint(t *testing.T) {
	l, whole := worker(t.TempDir(), nil), worker(t.TempDir(), nil)
	jobs := testkit.Must(run.NewJobs(madeUpExperiments()))
	for after, want := range []run.State{run.Open, run.Begun} { // the queue asks first, then the training
		require.ErrorIs(t, l.Work(&spent{Context: t.Context(), after: after}, jobs), train.ErrInterrupted)
		state, _ := testkit.Must2(l.Progress(jobs[0]))
		require.Equal(t, want, state)
	}
	for _, l := range []*run.Lab{l, whole} {
		require.NoError(t, l.Work(t.Context(), jobs))
		requireNoCheckpoints(t, l.Root)
	}
	require.Len(t, outcomes(t, l.Root), 6)
	require.Equal(t, outcomes(t, whole.Root), outcomes(t, l.Root))
}
