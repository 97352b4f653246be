package train

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// childDir is the variable that makes this test binary train in that folder instead of running tests.
const childDir = "OMM_TEST_TRAIN_IN"

// childProblem is what the other process trains: long enough to be killed many times, with a checkpoint every step.
func childProblem() (Problem, Config) { return toy(16, 1, 2), config(8000, 7) }

// child trains and prints every step; it returns the exit code.
func child(dir string) int {
	b, err := compute.NewWithConfig("go:ops_sequential")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	p, c := childProblem()
	o := Options{Backend: b, Key: "key", Dir: dir, CheckpointEvery: 1, Warn: os.Stderr, Eval: size}
	o.Progress = func(s Status) { fmt.Println("step", s.Step) }
	if _, err := Run(context.Background(), p, c, o); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// process is a child and what it prints.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	errs  strings.Builder
}

func startChild(t *testing.T, dir string) *process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	p := &process{cmd: exec.Command(self)}
	p.cmd.Env = append(os.Environ(), childDir+"="+dir)
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.lines = bufio.NewScanner(out)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// step reads on until the child has reported n more steps, and returns the last one; false at its end.
func (p *process) step(t *testing.T, n int) (int, bool) {
	t.Helper()
	last := 0
	for range n {
		if !p.lines.Scan() {
			return last, false
		}
		text, found := strings.CutPrefix(p.lines.Text(), "step ")
		require.True(t, found, p.lines.Text())
		var err error
		last, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	return last, true
}

// TestKilled kills a real process with SIGKILL at random moments; the same command then ends with the bits of a training
// that nobody touched. With a checkpoint after every step most kills come while one is written.
func TestKilled(t *testing.T) {
	p, c := childProblem()
	o := pureGo(t)
	o.Eval = size
	untouched := mustRun(t, p, c, o)
	dir := t.TempDir()
	const kills = 10
	unfinishedSeen, last := 0, 0
	for range kills {
		victim := startChild(t, dir)
		step, alive := victim.step(t, 1+rand.IntN(40))
		require.True(t, alive, "the training ended before it was killed %d times: %s", kills, victim.errs.String())
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		require.NoError(t, victim.cmd.Process.Kill())
		require.Error(t, victim.cmd.Wait())
		assert.Empty(t, victim.errs.String(), "a kill must never damage a checkpoint")
		assert.GreaterOrEqual(t, step, last, "work was lost")
		last = step
		cut, err := files(dir, unfinished)
		require.NoError(t, err)
		unfinishedSeen += len(cut)
	}
	t.Logf("killed at step %d the last time; %d of %d kills left a half-written file", last, unfinishedSeen, kills)

	survivor := startChild(t, dir)
	for alive := true; alive; {
		_, alive = survivor.step(t, 1)
	}
	require.NoError(t, survivor.cmd.Wait(), survivor.errs.String())
	o.Dir = dir
	o.Progress = func(Status) { t.Error("the survivor did not finish") }
	requireSame(t, untouched, mustRun(t, p, c, o)) // reads the survivor's last checkpoint
}

// TestTwoProcesses: the second one on the same result says who holds it, and may go on when that one is dead.
func TestTwoProcesses(t *testing.T) {
	p, c := childProblem()
	o := pureGo(t)
	o.Dir = t.TempDir()
	holder := startChild(t, o.Dir)
	_, alive := holder.step(t, 1)
	require.True(t, alive)
	_, err := Run(context.Background(), p, c, o)
	require.ErrorContains(t, err, fmt.Sprintf("process %d on ", holder.cmd.Process.Pid))
	require.ErrorContains(t, err, "wait for it to end, or stop it")

	require.NoError(t, holder.cmd.Process.Kill())
	require.Error(t, holder.cmd.Wait())
	lock, err := acquire(o.Dir)
	require.NoError(t, err, "the lock of a killed process must be free")
	lock.release()
}

// FuzzReadCheckpoint: nothing that a file can hold makes reading panic or claim more memory than the file has.
func FuzzReadCheckpoint(f *testing.F) {
	dir, _, _ := begun(f, pureGo(f))
	names, err := files(dir, whole)
	require.NoError(f, err)
	good, err := os.ReadFile(names[0])
	require.NoError(f, err)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := t.TempDir() + "/step-1" + whole
		require.NoError(t, os.WriteFile(path, content, 0o600))
		_, state, err := readCheckpoint(path)
		if err == nil && len(state) == 0 {
			t.Error("a checkpoint without tensors was taken for whole")
		}
	})
}
