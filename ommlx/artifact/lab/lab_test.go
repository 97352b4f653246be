package lab

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/train"
)

func TestAConfigurationHasOneKey(t *testing.T) {
	key, err := Key(map[string]int{"steps": 3})
	require.NoError(t, err)
	require.Len(t, key, 32)
	require.NoError(t, IsOf(map[string]int{"steps": 3}, key))
	require.ErrorContains(t, IsOf(map[string]int{"steps": 4}, key), "the result of another configuration")
	_, err = Key(make(chan int))
	require.ErrorContains(t, err, "naming a configuration")
}

func TestProfilesHaveNames(t *testing.T) {
	for _, p := range Profiles() {
		got, err := ParseProfile(string(p))
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	_, err := ParseProfile("best")
	require.EqualError(t, err, `unknown profile "best"; use smoke, quick or paper`)
	require.Contains(t, Quick.Note("fewer steps"), "with fewer steps.")
	require.Contains(t, Smoke.Note(""), "the numbers mean nothing")
	require.NotContains(t, Paper.Note("fewer steps"), "fewer")
}

// job is one that computes nothing.
func job(key string, seconds float64) Job {
	return Job{Key: key, Kind: "test", Cost: Cost{Seconds: seconds},
		run:  func(context.Context, *Lab) error { return nil },
		load: func(*Lab) (Result, bool, error) { return nil, false, nil }}
}

func TestTheStateOfAJob(t *testing.T) {
	l := &Lab{Root: t.TempDir()}
	j := job("k", 1)
	state := func() State {
		s, err := l.State(j)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, Open, state())
	dir := l.runDir(j.Key)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.Equal(t, Open, state(), "a folder without a checkpoint")
	lock, err := os.Create(filepath.Join(dir, "lock"))
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	require.Equal(t, Running, state())
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_UN))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "step-000000000001.ckpt"), nil, 0o644))
	require.Equal(t, Begun, state())
}

// The time left counts a job that is named twice once, and ends with the last of them.
func TestTheTimeLeftIsOfAllJobs(t *testing.T) {
	var out bytes.Buffer
	l := &Lab{Root: t.TempDir(), Out: &out, Medium: train.Terminal}
	require.NoError(t, l.Expect([]Job{job("a", 30), job("b", 10), job("a", 30)}))
	require.Equal(t, 40.0, l.work.total)
	show, finished := l.bar("first", Cost{Seconds: 30})
	status := train.Status{Step: 50, Steps: 100, Loss: []float64{1}, Elapsed: time.Second, Stopped: true}
	show(status)
	require.Contains(t, out.String(), "all: 38%", "half of 30 of 40 seconds")
	finished()
	out.Reset()
	show, _ = l.bar("second", Cost{Seconds: 10})
	show(status)
	require.Contains(t, out.String(), "all: 88%")
	silent := &Lab{}
	show, _ = silent.bar("nothing", Cost{})
	require.Nil(t, show)
}

func TestSeedsAndScoresAreThoseOfTheConfiguration(t *testing.T) {
	want := Seeds(2)
	require.Equal(t, []int64{1, 2}, want)
	require.NoError(t, SameSeeds(want, 2, func(i int) int64 { return want[i] }))
	require.EqualError(t, SameSeeds(want, 1, nil), "it holds 1 runs instead of 2")
	require.EqualError(t, SameSeeds(want, 2, func(int) int64 { return 1 }), "run 1 has the seed 1 instead of 2")
	require.NoError(t, Lengths(0, 1, []float64{1}))
	require.EqualError(t, Lengths(3, 2, []float64{1}), "run 3 has 1 scores where there must be 2")
}

// What another process has trained, or is at work on, is no time left for this one.
func TestTheTimeLeftIsWithoutWhatOthersTrain(t *testing.T) {
	l := &Lab{Root: t.TempDir()}
	kept := false
	first, elsewhere, held, last := job("first", 5), job("elsewhere", 30), job("held", 10), job("last", 2)
	for _, j := range []*Job{&first, &elsewhere, &held, &last} {
		j.Seeds = Seeds(1)
	}
	first.run = func(context.Context, *Lab) error {
		kept = true // meanwhile
		return nil
	}
	elsewhere.load = func(*Lab) (Result, bool, error) { return nil, kept, nil }
	last.run = func(context.Context, *Lab) error {
		require.Equal(t, work{total: 47, done: 40, began: l.work.began}, l.work)
		return nil
	}
	require.NoError(t, os.MkdirAll(l.runDir(held.Key), 0o755))
	lock, err := os.Create(filepath.Join(l.runDir(held.Key), "lock"))
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	done, err := l.Work(t.Context(), []Job{first, elsewhere, held, last})
	require.NoError(t, err)
	require.Equal(t, Worked{Trained: 2, Elsewhere: 1}, done)
}
