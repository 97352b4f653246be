package artifact_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/train"
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
	jobs, err := lab.NewJobs(fiftyExperiments())
	if err == nil {
		_, err = l.Work(context.Background(), jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func worker(root string, out io.Writer) *lab.Lab {
	return &lab.Lab{Root: root, Profile: lab.Smoke, Out: out}
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

func madeUpJobs() []lab.Job { return testkit.Must(lab.NewJobs(madeUpExperiments())) }

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
		list = append(list, testkit.Must(lab.Run(context.Background(), worker(root, nil), e)))
	}
	return list
})

// requireUntouched compares the results in a folder with those.
func requireUntouched(t *testing.T, root string) {
	t.Helper()
	for i, e := range madeUpExperiments() {
		got, kept := testkit.Must2(lab.Load(worker(root, nil), e))
		require.True(t, kept, e.Label())
		require.Equal(t, foundBy(untouched()[i]), foundBy(got))
		require.Equal(t, untouched()[i].History, got.History)
	}
	requireNoCheckpoints(t, root)
}

func TestTheQueueTakesOneSeedOfEverythingFirst(t *testing.T) {
	root := t.TempDir()
	var out bytes.Buffer
	done := testkit.Must(worker(root, &out).Work(context.Background(), madeUpJobs()))
	require.Equal(t, lab.Worked{Trained: 6}, done)
	require.Equal(t, madeUpQueue, started(out.String()))
	done = testkit.Must(worker(root, nil).Work(context.Background(), madeUpJobs()))
	require.Equal(t, lab.Worked{}, done, "nothing is left")
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
	done, err := worker(root, nil).Work(ctx, madeUpJobs())
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.Equal(t, lab.Worked{Left: 6}, done)
	progress := testkit.Must(worker(root, nil).Progress(madeUpJobs()[0]))
	require.Equal(t, lab.Begun, progress.State)

	done, err = worker(root, nil).Work(&spent{Context: context.Background()}, madeUpJobs())
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "before made up, target 0 seed 1")
	require.Equal(t, lab.Worked{Left: 6}, done)

	_, err = worker(root, nil).Work(context.Background(), madeUpJobs())
	require.NoError(t, err)
	requireUntouched(t, root)
}

// What another process trains is left to it.
func TestTheQueueLeavesOutWhatAnotherProcessTrains(t *testing.T) {
	jobs := madeUpJobs()
	parts := jobs[2].Parts()
	root := t.TempDir()
	lock := hold(t, root, parts[1].Key)
	var out bytes.Buffer
	done := testkit.Must(worker(root, &out).Work(context.Background(), jobs))
	require.Equal(t, lab.Worked{Trained: 5, Elsewhere: 1}, done)
	require.NotContains(t, started(out.String()), madeUpQueue[4])
	require.NoError(t, lock.Close()) // as when the other process is killed
	_, err := worker(root, nil).Work(context.Background(), jobs)
	require.NoError(t, err)
	requireUntouched(t, root)
}

// A checkpoint of another training, as one of an older build, is no reason not to train the others.
func TestTheQueueLeavesOutACheckpointOfAnotherTraining(t *testing.T) {
	jobs, root := madeUpJobs(), t.TempDir()
	_, err := worker(root, nil).Work(&spent{Context: context.Background(), after: 1}, jobs)
	require.ErrorIs(t, err, train.ErrInterrupted)
	runs := filepath.Join(root, ".omm", "runs")
	begun := testkit.Must(os.ReadDir(runs))
	require.Len(t, begun, 1)
	require.NoError(t, os.Rename(filepath.Join(runs, begun[0].Name()), filepath.Join(runs, jobs[1].Key)))

	var out bytes.Buffer
	done, err := worker(root, &out).Work(context.Background(), jobs)
	require.ErrorIs(t, err, train.ErrForeign)
	require.Equal(t, lab.Worked{Trained: 5}, done)
	require.Contains(t, out.String(), "left out: made up, target 1")
	require.NoError(t, os.RemoveAll(filepath.Join(runs, jobs[1].Key))) // as the message advises
	_, err = worker(root, nil).Work(context.Background(), jobs)
	require.NoError(t, err)
	requireUntouched(t, root)
}

// Finish trains what is named, by the key of a seed or of a whole job, and nothing else.
func TestFinishTrainsWhatIsNamed(t *testing.T) {
	jobs := madeUpJobs()
	parts := jobs[0].Parts()
	root := t.TempDir()
	done := testkit.Must(worker(root, nil).Finish(t.Context(), jobs, []string{parts[1].Key, jobs[2].Key}))
	require.Equal(t, lab.Worked{Trained: 3}, done)
	require.Len(t, results(t, worker(root, nil)), 3)
	_, kept := testkit.Must2(parts[1].Result(worker(root, nil)))
	require.True(t, kept)
	_, err := worker(root, nil).Finish(t.Context(), jobs, []string{parts[1].Key, "abc"})
	require.ErrorIs(t, err, lab.ErrUnknown)
	require.EqualError(t, err, `no training has this key: "abc"`)
}

// Finish waits for the process that is at work on a training, and trains it where that process ends without a result.
func TestFinishWaits(t *testing.T) {
	jobs := madeUpJobs()[1:2]
	root := t.TempDir()
	lock := hold(t, root, jobs[0].Key)
	stopped, stop := context.WithCancel(t.Context())
	l := worker(root, &stopAt{text: "waiting for another process", then: stop})
	done, err := l.Finish(stopped, jobs, []string{jobs[0].Key})
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.Equal(t, lab.Worked{Left: 1}, done)

	l = worker(root, &stopAt{text: "waiting for another process", then: func() { require.NoError(t, lock.Close()) }})
	done = testkit.Must(l.Finish(t.Context(), jobs, []string{jobs[0].Key}))
	require.Equal(t, lab.Worked{Trained: 1}, done)
}

// stopAt calls then once a text is written to it.
type stopAt struct {
	text string
	then func()
}

func (s *stopAt) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(s.text)) {
		s.then()
	}
	return len(p), nil
}
