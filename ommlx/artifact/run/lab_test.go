package run

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestKeyRejectsNaN(t *testing.T) {
	require.Len(t, Key(map[string]int{"steps": 3}), 32)
	require.PanicsWithError(t, "naming a configuration: json: unsupported value: NaN", func() { Key(math.NaN()) })
}

func TestParseProfile(t *testing.T) {
	for _, p := range Profiles() {
		got := testkit.Must(ParseProfile(string(p)))
		require.Equal(t, p, got)
	}
	_, err := ParseProfile("best")
	require.EqualError(t, err, `unknown profile "best"; use smoke, quick or paper`)
	require.Contains(t, Quick.Note("fewer steps"), "with fewer steps.")
	require.Contains(t, Smoke.Note(""), "the numbers mean nothing")
	require.NotContains(t, Paper.Note("fewer steps"), "fewer")
}

// job returns a job that computes nothing.
func job(key string, seconds float64) Job {
	return Job{Key: key, Seeds: Seeds(1), Cost: Cost{Seconds: seconds}, of: idle{}}
}

// idle is an experiment that computes nothing. Its fields may be nil.
type idle struct {
	anyExperiment
	running func()
	missing func() []int64
}

func (i idle) run(context.Context, *Lab) error {
	if i.running != nil {
		i.running()
	}
	return nil
}

func (i idle) load(*Lab) (AnyResult, []int64, error) {
	if i.missing != nil {
		return nil, i.missing(), nil
	}
	return nil, Seeds(1), nil
}

// bars returns a lab that expects the jobs; shown returns the progress line for a status.
func bars(t *testing.T, jobs ...Job) (l *Lab, shown func(show func(train.Status), first, step int,
	elapsed time.Duration) string) {
	var out string
	l = &Lab{Root: t.TempDir(), Display: func(line string) { out = line }}
	l.Expect(testkit.Must(l.Open(jobs)))
	return l, func(show func(train.Status), first, step int, elapsed time.Duration) string {
		show(train.Status{
			FirstStep: first, Step: step, Steps: 100, Loss: []float64{1}, Elapsed: elapsed, Stopped: true,
		})
		return out
	}
}

// TestProgressOfAllJobs counts a repeated job once.
func TestProgressOfAllJobs(t *testing.T) {
	l, shown := bars(t, job("a", 30), job("b", 10), job("a", 30))
	require.Equal(t, 40.0, l.work.total)
	show, finished := l.bar("first", Cost{Seconds: 30})
	require.Contains(t, shown(show, 0, 50, time.Second), "(all: 38%)", "half of 30 of 40 seconds")
	finished()
	show, _ = l.bar("second", Cost{Seconds: 10})
	require.Contains(t, shown(show, 0, 50, time.Second), "all: 88%")
	silent := &Lab{}
	show, _ = silent.bar("nothing", Cost{})
	require.Nil(t, show)
}

// TestTimeLeftForAllJobs: the time left follows from the work and time of this session, without resumed steps and
// without the time before the first report.
func TestTimeLeftForAllJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, shown := bars(t, job("a", 100), job("b", 100), job("c", 100))
		show, finished := l.bar("a", Cost{Seconds: 100})
		time.Sleep(time.Minute)
		require.Contains(t, shown(show, 80, 81, time.Minute), "(all: 27%)", "resumed at step 80")
		line := shown(show, 80, 91, time.Minute+20*time.Second)
		require.Contains(t, line, "left 18s  (all: 30%, left 6m58s)", "each step takes twice the estimate")
		finished()
		time.Sleep(time.Second) // evaluation
		show, finished = l.bar("b", Cost{Seconds: 100})
		require.Contains(t, shown(show, 0, 1, time.Second), "(all: 34%, left 9m57s)",
			"one minute for a fifth of the first job, including its evaluation")
		l.expectNoMore(job("c", 100))
		require.Contains(t, shown(show, 0, 51, time.Second+100*time.Second), "left 1m38s  (all: 76%, left 1m52s)",
			"another process trains the third one: 49 of 200 are left, and 70 took 160 s")
		finished()
		show, _ = l.bar("c", Cost{Seconds: 50})
		require.NotContains(t, shown(show, 100, 100, time.Second), "left")
	})
}

// A training that had already ended and is only evaluated must not change the estimate for the others.
func TestFinishedTrainingIsNoWork(t *testing.T) {
	l, shown := bars(t, job("a", 100), job("b", 100))
	_, finished := l.bar("a", Cost{Seconds: 100})
	finished()
	show, _ := l.bar("b", Cost{Seconds: 100})
	require.Contains(t, shown(show, 0, 1, time.Second), "(all: 50%)")
}

// The time left excludes what another process has trained or is training.
func TestTimeLeftExcludesOtherProcesses(t *testing.T) {
	l := &Lab{Root: t.TempDir()}
	missing := Seeds(1)
	first, elsewhere, held, last := job("first", 5), job("elsewhere", 30), job("held", 10), job("last", 2)
	first.of = idle{running: func() { missing = nil }}
	elsewhere.of = idle{missing: func() []int64 { return missing }}
	last.of = idle{running: func() {
		require.Equal(t, work{total: 7, since: l.work.since}, l.work, "the first and the last job")
	}}
	require.NoError(t, os.MkdirAll(l.runDir(held.Key), 0o755))
	lock := testkit.Must(os.Create(filepath.Join(l.runDir(held.Key), "lock")))
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	trained, left, err := l.Work(t.Context(), []Job{first, elsewhere, held, last})
	require.NoError(t, err)
	require.Equal(t, [2]int{2, 1}, [2]int{trained, left})
}
