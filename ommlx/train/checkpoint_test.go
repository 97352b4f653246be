package train

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// TestResumeIsBitIdentical interrupts a training twice and requires the bits of an uninterrupted one, also if Stop ends
// it. A finished training is not trained again.
func TestResumeIsBitIdentical(t *testing.T) {
	for _, points := range []int{0, 20} { // after which Stop ends the training; 0: no Stop
		o, c := pureGo(t), config(200, 6)
		o.Eval = size
		if points > 0 {
			o.Stop = func(history []Point) bool { return len(history) == points }
		}
		uninterrupted := mustRun(t, toy(16, 1, 2), c, o)
		o.Dir = filepath.Join(t.TempDir(), "a [new] folder", "of a run")
		interrupted(t, toy(16, 1, 2), c, o, 40)
		interrupted(t, toy(16, 1, 2), c, o, 0) // stops at the first opportunity
		first := firstStatus(&o)
		requireSame(t, uninterrupted, mustRun(t, toy(16, 1, 2), c, o))
		assert.Greater(t, first.FirstStep, 40)
		assert.Equal(t, first.FirstStep+1, first.Step)
		assert.Len(t, testkit.Must(checkpoints(o.Dir)), 2)

		o.Progress = func(Status) { t.Error("a training that is done was trained again") }
		p := also(toy(16, 1, 2), func(Inputs) { t.Error("a training that is done was compiled again") })
		requireSame(t, uninterrupted, mustRun(t, p, c, o))
	}
}

func TestInterruptedWithoutFolder(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Run(ctx, toy(4, 1), config(10, 0), pureGo(t))
	require.ErrorIs(t, err, ErrInterrupted)
}

// begun returns a training with two checkpoints, newest first, and the result of the same training without a folder.
func begun(t testing.TB) (o Options, p Problem, c Config, names []string, uninterrupted *Result) {
	t.Helper()
	o, p, c = pureGo(t), toy(4, 1), config(80, 3)
	uninterrupted = mustRun(t, p, c, o)
	o.Dir, o.CheckpointEvery = t.TempDir(), 1
	interrupted(t, p, c, o, 30)
	names = testkit.Must(checkpoints(o.Dir))
	require.Len(t, names, 2)
	return o, p, c, names, uninterrupted
}

// TestDamagedCheckpoint requires a warning with the file's name and the result of an undamaged training, which starts
// from the previous checkpoint or from the beginning.
func TestDamagedCheckpoint(t *testing.T) {
	for _, damaged := range []int{1, 2} {
		o, p, config, names, uninterrupted := begun(t)
		taken := 0
		if damaged == 1 {
			h, _ := testkit.Must2(decode(testkit.Must(os.ReadFile(names[1]))))
			taken = h.Step
		}
		for _, name := range names[:damaged] {
			content := testkit.Must(os.ReadFile(name))
			content[len(content)/2] ^= 1
			require.NoError(t, os.WriteFile(name, content, 0o600))
		}
		var warnings bytes.Buffer
		o.Warn = &warnings
		first := firstStatus(&o)
		requireSame(t, uninterrupted, mustRun(t, p, config, o))
		assert.Equal(t, taken, first.FirstStep)
		lines := strings.Split(strings.TrimSpace(warnings.String()), "\n")
		require.Len(t, lines, damaged)
		for i, line := range lines {
			assert.Contains(t, line, names[i])
		}
	}
}

// TestUnreadableCheckpointIsKept ends the training and leaves the file in place: it may be good, and the previous one
// would cost steps.
func TestUnreadableCheckpointIsKept(t *testing.T) {
	o, p, c, names, uninterrupted := begun(t)
	aside := filepath.Join(o.Dir, "aside")
	require.NoError(t, os.Rename(names[0], aside))
	require.NoError(t, os.Mkdir(names[0], 0o700)) // reading a folder fails also for root
	_, err := Run(context.Background(), p, c, o)
	require.ErrorIs(t, err, syscall.EISDIR)
	require.NoError(t, os.Remove(names[0]))
	require.NoError(t, os.Rename(aside, names[0]))
	requireSame(t, uninterrupted, mustRun(t, p, c, o))
}

// TestFolderOfAnotherTrainingIsRefused and left unchanged, whether that training is complete or not.
func TestFolderOfAnotherTrainingIsRefused(t *testing.T) {
	const steps = 80
	changes := map[string]func(p *Problem, c *Config, o *Options){
		"key":            func(_ *Problem, _ *Config, o *Options) { o.Key = "other" },
		"steps":          func(_ *Problem, c *Config, _ *Options) { c.Steps = 90 },
		"evaluations":    func(_ *Problem, c *Config, _ *Options) { c.EvalEvery = 4 },
		"averages":       func(_ *Problem, c *Config, _ *Options) { c.EMA = optim.EMA{} },
		"learning rate":  func(_ *Problem, c *Config, _ *Options) { c.Optimiser = optim.Adam{Beta1: 0.5} },
		"optimiser":      func(_ *Problem, c *Config, _ *Options) { c.Optimiser = optim.RMSProp{} },
		"seeds":          func(p *Problem, _ *Config, _ *Options) { p.Seeds = []int64{2} },
		"parameters":     func(p *Problem, _ *Config, _ *Options) { p.Params = toy(4, 2).Params },
		"width":          func(p *Problem, _ *Config, _ *Options) { *p = toy(5, 1) },
		"number of runs": func(p *Problem, _ *Config, _ *Options) { *p = toy(4, 1, 2) },
		"state": func(p *Problem, _ *Config, _ *Options) {
			p.State = []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1}, 1), p.State[1]}
		},
		"data": func(p *Problem, _ *Config, _ *Options) {
			p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 0, 0.5, 2, -1, 4}, 2, 3)}
		},
	}
	for _, stop := range []int{30, steps} {
		o := pureGo(t)
		o.Dir, o.CheckpointEvery = t.TempDir(), 1
		if stop < steps {
			interrupted(t, toy(4, 1), config(steps, 3), o, stop)
		} else {
			mustRun(t, toy(4, 1), config(steps, 3), o)
		}
		for name, change := range changes {
			p, c, o := toy(4, 1), config(steps, 3), o
			change(&p, &c, &o)
			_, err := Run(context.Background(), p, c, o)
			assert.ErrorIs(t, err, ErrForeign, name)
		}
		require.Equal(t, steps, mustRun(t, toy(4, 1), config(steps, 3), o).Step, "its own folder")
	}
}

// TestCheckpointOfAnotherVersionIsRefused and kept, since it may hold days of training.
func TestCheckpointOfAnotherVersionIsRefused(t *testing.T) {
	o, p, c, names, _ := begun(t)
	for _, name := range names {
		old := testkit.Must(encode(header{Key: o.Key, Step: 3}, nil))
		require.NoError(t, os.WriteFile(name, old, 0o600))
	}
	_, err := Run(context.Background(), p, c, o)
	require.ErrorIs(t, err, ErrForeign)
	require.ErrorContains(t, err, "version")
	require.FileExists(t, names[0])
}

// TestCheckpointShowsDamage: see testkit.FindsDamage.
func TestCheckpointShowsDamage(t *testing.T) {
	_, _, _, names, _ := begun(t)
	testkit.FindsDamage(t, names[0], func() (any, error) {
		_, raw, err := decode(testkit.Must(os.ReadFile(names[0])))
		return raw, err
	})
}

func TestLockIsHeldOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	first := testkit.Must(Lock(dir))
	_, err := Lock(dir)
	require.ErrorIs(t, err, ErrHeld)
	require.ErrorContains(t, err, filepath.Join(dir, lockName))
	require.ErrorContains(t, err, fmt.Sprintf("process %d on", os.Getpid()))
	require.NoError(t, os.RemoveAll(dir))
	second := testkit.Must(Lock(dir))
	second.Close()
	first.Close()
}

// A lock on a file that was removed, and perhaps replaced, is none.
func TestRemovedFileIsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockName)
	lock := flock.New(path)
	require.True(t, testkit.Must(lock.TryLock()))
	require.True(t, isAt(lock, path))
	require.NoError(t, os.Remove(path))
	require.False(t, isAt(lock, path))
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	require.False(t, isAt(lock, path))
	require.NoError(t, lock.Close())
}

// TestStatusIsNotALock: the shared lock that [FolderStatus] takes for a moment does not stop a training from starting.
func TestStatusIsNotALock(t *testing.T) {
	dir := t.TempDir()
	testkit.Must(Lock(dir)).Close()
	shared := testkit.Must(os.Open(filepath.Join(dir, lockName)))
	require.NoError(t, syscall.Flock(int(shared.Fd()), syscall.LOCK_SH|syscall.LOCK_NB))
	held, _ := FolderStatus(dir)
	require.False(t, held)
	time.AfterFunc(lockTimeout/4, func() { shared.Close() })
	testkit.Must(Lock(dir)).Close()
}

// TestCallerHoldsTheLock before and after the training; nothing trains there without it.
func TestCallerHoldsTheLock(t *testing.T) {
	o := pureGo(t)
	o.Dir = filepath.Join(t.TempDir(), "of a run")
	held, begun := FolderStatus(o.Dir)
	assert.Equal(t, [2]bool{false, false}, [2]bool{held, begun})
	assert.NoDirExists(t, o.Dir)
	lock := testkit.Must(Lock(o.Dir))
	_, err := Run(t.Context(), toy(4, 1), config(10, 0), o)
	require.ErrorIs(t, err, ErrHeld)
	o.Locked = true
	mustRun(t, toy(4, 1), config(10, 0), o)
	held, begun = FolderStatus(o.Dir)
	assert.Equal(t, [2]bool{true, true}, [2]bool{held, begun})
	lock.Close()
	held, begun = FolderStatus(o.Dir)
	assert.Equal(t, [2]bool{false, true}, [2]bool{held, begun})
}
