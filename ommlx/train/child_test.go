package train

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// childDir and childEngine are environment variables that make this test binary train in a folder instead of running
// tests. The engine "go" is the pure-Go backend, anything else the engine of this machine.
const (
	childDir    = "OMM_TEST_TRAIN_IN"
	childEngine = "OMM_TEST_TRAIN_ON"
)

// childProblem is trained by the child process and saves all the time. On the pure-Go backend it takes long enough to
// be killed many times.
func childProblem(engine string) (Problem, Config) {
	if engine == "go" {
		return toy(16, 1, 2), config(4000, 7)
	}
	return toy(16, 1), config(700, 7)
}

// child trains and prints every step; it returns the exit code.
func child(dir string) int {
	engine := os.Getenv(childEngine)
	b, _, err := backend.Open()
	if engine == "go" {
		b, err = backend.PureGo()
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	p, c := childProblem(engine)
	o := Options{Backend: b, Key: "key", Dir: dir, CheckpointEvery: 1, Warn: os.Stderr, Eval: size}
	o.Progress = func(s Status) { fmt.Println("step", s.Step) }
	if _, err := Run(context.Background(), p, c, o); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// process is a child process and its output.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	errs  strings.Builder
}

func startChild(t *testing.T, dir, engine string) *process {
	t.Helper()
	self := testkit.Must(os.Executable())
	p := &process{cmd: exec.Command(self)}
	p.cmd.Env = append(os.Environ(), childDir+"="+dir, childEngine+"="+engine, "OMM_QUIET=1")
	p.cmd.Stderr = &p.errs
	out := testkit.Must(p.cmd.StdoutPipe())
	p.lines = bufio.NewScanner(out)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// step reads until the child has reported n more steps, and returns the last one; false at the end of its output.
func (p *process) step(t *testing.T, n int) (int, bool) {
	t.Helper()
	last := 0
	for range n {
		if !p.lines.Scan() {
			return last, false
		}
		text, found := strings.CutPrefix(p.lines.Text(), "step ")
		require.True(t, found, p.lines.Text())
		last = testkit.Must(strconv.Atoi(text))
	}
	return last, true
}

// TestKilled kills a process at random moments; the same command then ends with the bits of an undisturbed training, on
// CUDA with about the same numbers.
// The pure-Go backend starts at once, so it is killed many times, at least once while it writes a checkpoint.
func TestKilled(t *testing.T) {
	t.Parallel()
	t.Run("pure Go", func(t *testing.T) { t.Parallel(); killed(t, 10, 1, "go", pureGo(t)) })
	t.Run("this machine", func(t *testing.T) { t.Parallel(); killed(t, 1, 0, "", here(t)) })
}

func killed(t *testing.T, kills, inWriting int, engine string, o Options) {
	p, c := childProblem(engine)
	o.Eval = size
	untouched := mustRun(t, p, c, o)
	dir := t.TempDir()
	halfWritten, last, count := 0, 0, 0
	for ; count < kills || halfWritten < inWriting; count++ {
		victim := startChild(t, dir, engine)
		step, alive := victim.step(t, 1+rand.IntN(30))
		require.True(t, alive, "the training ended before its kill number %d: %s", count+1, victim.errs.String())
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		require.NoError(t, victim.cmd.Process.Kill())
		require.Error(t, victim.cmd.Wait())
		assert.Empty(t, victim.errs.String(), "a kill must never damage a checkpoint")
		// One device call, which ends at the next evaluation at the latest, may have been reported but not yet saved.
		assert.Greater(t, step, last-c.EvalEvery, "work was lost")
		last = step
		cut := testkit.Must(fs.Glob(os.DirFS(dir), "*"+fsx.Unfinished))
		halfWritten += len(cut)
	}
	t.Logf("killed at step %d the last time; %d of %d kills left a half-written file", last, halfWritten, count)

	survivor := startChild(t, dir, engine)
	for alive := true; alive; {
		_, alive = survivor.step(t, 1)
	}
	require.NoError(t, survivor.cmd.Wait(), survivor.errs.String())
	o.Dir = dir
	o.Progress = func(Status) { t.Error("the survivor did not finish") }
	resumed := mustRun(t, p, c, o) // reads the survivor's last checkpoint
	if strings.Contains(o.Backend.Description(), "cuda") {
		// XLA may choose other kernels in another process. On an H100 parameters then differed by 1e-6.
		for i, x := range resumed.Params {
			require.InDeltaSlice(t, testkit.Flat(untouched.Params[i]), testkit.Flat(x), 1e-4)
		}
		return
	}
	requireSame(t, untouched, resumed)
}
