package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
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
