package artifact_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// TestMain also is the program of the test that needs other processes: they work off the fifty jobs.
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
		_, _, err = l.Work(context.Background(), jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func worker(root string, out io.Writer) *run.Lab {
	return &run.Lab{Root: root, Profile: run.Smoke, Out: out}
}

// madeUpExperiments have three seeds, one, and two; the last two are the same.
func madeUpExperiments() []madeUp {
	list := make([]madeUp, 4)
	for i, seeds := range [][]int64{{1, 2, 3}, {1}, {1, 2}, {1, 2}} {
		list[i] = newMadeUp(2_000).with(seeds...)
		list[i].Target = float64(min(i, 2))
	}
	return list
}

func madeUpJobs() []run.Job { return testkit.Must(run.NewJobs(madeUpExperiments())) }

// The whole queue, in its order.
var madeUpQueue = []string{
	"made up, target 0 seed 1", "made up, target 1 seed 1", "made up, target 2 seed 1",
	"made up, target 0 seed 2", "made up, target 2 seed 2",
	"made up, target 0 seed 3",
}

var begins = regexp.MustCompile(`(?m)^\d+ of \d+: (.* seed \d+)$`)

// started are the trainings that a worker named in its output.
func started(out string) (names []string) {
	for _, match := range begins.FindAllStringSubmatch(out, -1) {
		names = append(names, match[1])
	}
	return names
}

// untouched are the results of trainings that nobody disturbed.
var untouched = sync.OnceValue(func() (list []*found) {
	root := testkit.Must(os.MkdirTemp("", "untouched"))
	defer os.RemoveAll(root)
	for _, e := range madeUpExperiments() {
		list = append(list, testkit.Must(run.Run(context.Background(), worker(root, nil), e)))
	}
	return list
})

// requireUntouched compares the results in a folder with those.
func requireUntouched(t *testing.T, root string) {
	t.Helper()
	for i, e := range madeUpExperiments() {
		got, missing := testkit.Must2(run.Load(worker(root, nil), e))
		require.Empty(t, missing, e.Label())
		require.Equal(t, foundBy(untouched()[i]), foundBy(got))
		require.Equal(t, untouched()[i].History, got.History)
	}
	requireNoCheckpoints(t, root)
}

// requireWork works off the made-up jobs: so many are trained here, and so many left to another process.
func requireWork(t *testing.T, l *run.Lab, trained, elsewhere int) {
	t.Helper()
	here, there, err := l.Work(t.Context(), madeUpJobs())
	require.NoError(t, err)
	require.Equal(t, [2]int{trained, elsewhere}, [2]int{here, there})
}

func TestTheQueueTakesOneSeedOfEverythingFirst(t *testing.T) {
	root := t.TempDir()
	var out bytes.Buffer
	requireWork(t, worker(root, &out), 6, 0)
	require.Equal(t, madeUpQueue, started(out.String()))
	requireWork(t, worker(root, nil), 0, 0)
	requireUntouched(t, root)
}

// spent is a context that ends after it was asked a number of times.
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

// A queue whose time is up in the middle of a training keeps a checkpoint; between two trainings it begins no other.
func TestTheQueueStopsAtACheckpoint(t *testing.T) {
	root := t.TempDir()
	ctx := &spent{Context: context.Background(), after: 1} // asked by the queue, then by the training
	trained, _, err := worker(root, nil).Work(ctx, madeUpJobs())
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.Zero(t, trained)
	state, _ := testkit.Must2(worker(root, nil).Progress(madeUpJobs()[0]))
	require.Equal(t, run.Begun, state)

	trained, _, err = worker(root, nil).Work(&spent{Context: context.Background()}, madeUpJobs())
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "before made up, target 0 seed 1")
	require.Zero(t, trained)

	requireWork(t, worker(root, nil), 6, 0)
	requireUntouched(t, root)
}
