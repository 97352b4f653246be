package artifact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// workIn is the variable that makes this test binary work off the fifty jobs in that folder instead of running tests,
// with a checkpoint after each evaluation, which it notes in a file there.
const workIn = "OMM_TEST_WORK_IN"

// workOff is how many of them it works off, where that is not all.
const workOff = "OMM_TEST_WORK_OFF"

func fiftyExperiments() []madeUp {
	list := make([]madeUp, 50)
	if text := os.Getenv(workOff); text != "" {
		list = list[:testkit.Must(strconv.Atoi(text))]
	}
	for i := range list {
		list[i] = newMadeUp(200).with(1)
		list[i].Target = float64(i)
	}
	return list
}

// note appends a line for an evaluation to that file.
func (e madeUp) note(step int) error {
	root := os.Getenv(workIn)
	if root == "" {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(root, "evaluations"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "%s at step %d\n", e.Label(), step)
	return err
}

// startFifty starts a worker on the fifty jobs, on the backend that starts at once, under another command if one is
// given.
func startFifty(t *testing.T, root string, under ...string) *exec.Cmd {
	t.Helper()
	under = append(under, testkit.Must(os.Executable()))
	cmd := exec.Command(under[0], under[1:]...)
	cmd.Env = append(os.Environ(), workIn+"="+root, "GOMLX_BACKEND=go:ops_sequential")
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// undisturbed are the results of a worker that nobody disturbs, and how long it takes.
func undisturbed(t *testing.T) (map[string]found, time.Duration) {
	t.Helper()
	root, began := t.TempDir(), time.Now()
	require.NoError(t, startFifty(t, root).Wait())
	took := time.Since(began)
	return fiftyResults(t, root), took
}

// TestALostWorkerCostsACheckpointInterval: three workers share fifty jobs, and one of them at a time is killed and
// started again, twenty times. Every result is there once, with the bits of a worker that nobody disturbed, and no kill
// has cost more than the one evaluation since the last checkpoint.
func TestALostWorkerCostsACheckpointInterval(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	want, alone := undisturbed(t)

	kills := 0
	workers := make([]*exec.Cmd, 3)
	for i := range workers {
		workers[i] = startFifty(t, root)
	}
	inTheMiddle := 0
	for ; kills < 20; kills++ {
		time.Sleep(alone/100 + rand.N(alone/75)) // all of them in a third of the time that one worker takes
		i := rand.IntN(len(workers))
		_ = workers[i].Process.Kill() // it may have ended
		if workers[i].Wait() == nil {
			workers = slices.Delete(workers, i, i+1)
			break
		}
		for _, dir := range testkit.Must(filepath.Glob(filepath.Join(root, ".omm", "runs", "*"))) {
			if held, checkpoint := train.Look(dir); checkpoint && !held {
				inTheMiddle++
				break
			}
		}
		workers[i] = startFifty(t, root)
	}
	for _, w := range workers {
		require.NoError(t, w.Wait())
	}
	jobs := testkit.Must(run.NewJobs(fiftyExperiments()))
	last := worker(root, nil)
	_, _, err := last.Work(context.Background(), jobs) // what a worker left to one that was killed then
	require.NoError(t, err)
	last.Sweep()

	require.Equal(t, want, fiftyResults(t, root))
	requireNoCheckpoints(t, root)
	text := testkit.Must(os.ReadFile(filepath.Join(root, "evaluations")))
	count := map[string]int{}
	repeated := 0
	for line := range strings.Lines(string(text)) {
		if count[line]++; count[line] > 1 {
			repeated++
		}
	}
	require.Len(t, count, len(fiftyExperiments())*21, "20 evaluations and the one of the start")
	t.Logf("%d of %d kills left a checkpoint; %d evaluations were done again", inTheMiddle, kills, repeated)
	require.Greater(t, inTheMiddle, 3)
	require.LessOrEqual(t, repeated, kills)
}

// fiftyResults are the results in a folder by file, without when and where they were made.
func fiftyResults(t *testing.T, root string) map[string]found {
	t.Helper()
	all := map[string]found{}
	for name, text := range results(t, worker(root, nil)) {
		var f found
		require.NoError(t, json.Unmarshal([]byte(text), &f))
		f.Provenance = run.Provenance{}
		all[filepath.Base(name)] = f
	}
	require.Len(t, all, len(fiftyExperiments()))
	return all
}

// TestAnyCallMayBeTheLast runs with .ci/Makefile's test-crash: two trainings are killed at the n-th call that makes a
// file durable, puts it in place or removes it, and at moments of chance; or that call fails. The next command ends
// them with the bits of undisturbed ones and clears what was left.
func TestAnyCallMayBeTheLast(t *testing.T) {
	if os.Getenv("OMM_TEST_CRASH") == "" {
		t.Skip("100 kills take minutes; `make -f .ci/Makefile test-crash` runs them")
	}
	t.Setenv(workOff, "2")
	want, alone := undisturbed(t)
	disturbed := func(disturbance string, under []string) (ended bool) {
		root := t.TempDir()
		cmd := startFifty(t, root, under...)
		if under == nil {
			time.AfterFunc(rand.N(alone), func() { _ = cmd.Process.Kill() })
		}
		ended = cmd.Wait() != nil
		require.NoError(t, startFifty(t, root).Wait(), "after %s", disturbance)
		require.Equal(t, want, fiftyResults(t, root), "after %s", disturbance)
		left := testkit.Must(filepath.Glob(filepath.Join(root, ".omm", "r*", "*", "*")))
		require.Empty(t, left, "after %s", disturbance)
		return ended
	}
	killed, failed := 0, 0
	for _, call := range []string{"fsync", "renameat", "unlinkat", "fchmod"} {
		for what, times := range map[string]int{"signal=KILL": 15, "error=EIO": 5, "error=ENOSPC": 5} {
			for n := range times {
				how := fmt.Sprintf("inject=%s:%s:when=%d", call, what, n+1)
				ended := disturbed(how, []string{"strace", "-f", "-qqq", "-o", os.DevNull, "-e", "trace=" + call,
					"-e", how})
				if what != "signal=KILL" {
					failed++
				} else if ended {
					killed++
				}
			}
		}
	}
	for killed < 100 {
		if disturbed("a kill at a moment of chance", nil) {
			killed++
		}
	}
	t.Logf("%d of %d kills: the same bits, and nothing left over", killed, killed)
	t.Logf("%d of %d calls that failed: the same bits, and nothing left over", failed, failed)
}
