package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/train"
)

// A budget that is spent is no error and names what is left; an interruption by the user is one; the same call then
// trains what is left.
func TestRunEndsWhenItsTimeIsUp(t *testing.T) {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, 2).WithSteps(20)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	job, err := lab.NewJob(e)
	require.NoError(t, err)
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke}
	var out bytes.Buffer
	jobs := []lab.Job{job}
	require.NoError(t, work(t.Context(), &out, l, [][]lab.Job{jobs}, time.Nanosecond))
	assert.Equal(t, "trained 0 runs; the time is up with 2 to go: run the same command again to go on from there\n",
		out.String())
	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, work(stopped, &out, l, [][]lab.Job{jobs}, time.Hour), train.ErrInterrupted)
	out.Reset()
	require.NoError(t, work(t.Context(), &out, l, [][]lab.Job{jobs}, 0))
	assert.Equal(t, "trained 2 runs\n", out.String())
}

// stopper is an output that calls itself once something is written to it.
type stopper func()

func (s stopper) Write(line []byte) (int, error) {
	s()
	return len(line), nil
}

// A checkpoint of another training in one stage is told at the end, after the later stages.
func TestRunGoesOnAfterACheckpointOfAnotherTraining(t *testing.T) {
	var jobs []lab.Job
	for _, steps := range []int{20, 30} {
		e := rl.Paper("GridRoom-4", "omm_seq", 2, 1).WithSteps(steps)
		e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
		job, err := lab.NewJob(e)
		require.NoError(t, err)
		jobs = append(jobs, job)
	}
	root := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	begin := &lab.Lab{Root: root, Profile: lab.Smoke, Out: stopper(stop)} // stops at its first line
	_, err := begin.Work(ctx, jobs[:1])
	require.ErrorIs(t, err, train.ErrInterrupted)
	runs := filepath.Join(root, ".omm", "runs")
	require.NoError(t, os.Rename(filepath.Join(runs, jobs[0].Key), filepath.Join(runs, jobs[1].Key)))

	var out bytes.Buffer
	l := &lab.Lab{Root: root, Profile: lab.Smoke}
	require.ErrorIs(t, work(t.Context(), &out, l, [][]lab.Job{jobs[1:], jobs}, 0), train.ErrForeign)
	assert.Equal(t, "trained 1 runs\n", out.String())
}

// What became of all runs is in one line, however many workers there are.
func TestOneLineSumsUpTheWorkers(t *testing.T) {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, 3).WithSteps(20)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	job, err := lab.NewJob(e)
	require.NoError(t, err)
	one, err := job.First(1)
	require.NoError(t, err)
	trained := t.TempDir() // where one seed has its result
	elsewhere := &lab.Lab{Root: trained, Profile: lab.Smoke}
	require.NoError(t, one.Run(t.Context(), elsewhere))
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke}
	stages := [][]lab.Job{{one}, {job}} // three seeds, of which one is in two stages
	for _, c := range []struct {
		budget time.Duration
		script string
		want   string
	}{
		{0, "echo at work", "0 more runs have a result; 3 to go"},
		{time.Nanosecond, "echo at work", "0 more runs have a result; the time is up with 3 to go: " +
			"run the same command again to go on from there"},
		{time.Hour, "echo at work; cp -r " + trained + "/.omm " + l.Root, "1 more runs have a result; 2 to go"},
	} {
		got, err := lines(t, func(out *bytes.Buffer) error {
			return together(t.Context(), out, l, stages, c.budget, 2, "sh", "-c", c.script)
		})
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{"1│ at work", "2│ at work", c.want}, got)
	}
	stopped, stop := context.WithCancel(t.Context())
	got, err := lines(t, func(out *bytes.Buffer) error {
		time.AfterFunc(time.Second/10, stop)
		return together(stopped, out, l, stages, 0, 2, "sh", "-c", "trap 'exit 4' INT; sleep 0.3 & wait")
	})
	require.ErrorIs(t, err, train.ErrInterrupted)
	assert.Equal(t, []string{"0 more runs have a result; 2 to go"}, got)
}

// TestEveryThreadHasTheLowestPriority in a process of its own, since the priority cannot be raised again.
func TestEveryThreadHasTheLowestPriority(t *testing.T) {
	const child = "OMM_TEST_PRIORITY"
	if os.Getenv(child) == "" {
		if _, err := os.Stat("/proc/self/task"); err != nil {
			t.Skip("this system does not list the threads of a process")
		}
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Greater(t, strings.Count(string(out), "thread at 1\n"), 1, string(out))
		require.Equal(t, strings.Count(string(out), "thread at"), strings.Count(string(out), "thread at 1\n"))
		return
	}
	require.NoError(t, lowerPriority())
	threads, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		require.NoError(t, err)
		priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, id)
		require.NoError(t, err)
		fmt.Printf("thread at %d\n", priority) // Linux returns 20 − nice
	}
}
