package train

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func TestLockNamesItsHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	first := testkit.Must(acquire(dir))
	_, err := acquire(dir)
	require.ErrorIs(t, err, ErrHeld)
	assert.Regexp(t, `by process \d+ on .+ since \d{4}-.* \(lock .*/new/folder/lock\); wait for it to end`, err)
	// A holder that has not yet written its name.
	require.NoError(t, os.Truncate(filepath.Join(dir, lockName), 0))
	_, err = acquire(dir)
	assert.ErrorContains(t, err, "by another process (lock ")
	first.Close()
	second := testkit.Must(acquire(dir))
	second.Close()
}

// TestLookingHoldsNobodyUp: the lock that [Look] takes for a moment is not that of a process at work.
func TestLookingHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	dead := testkit.Must(acquire(dir))
	dead.Close()
	looking := testkit.Must(os.Open(filepath.Join(dir, lockName)))
	require.NoError(t, syscall.Flock(int(looking.Fd()), syscall.LOCK_SH|syscall.LOCK_NB))
	time.AfterFunc(patience/4, func() { looking.Close() })
	lock := testkit.Must(acquire(dir))
	lock.Close()
}

// TestKeepRunsUnderTheLock: the folder is held while the result is kept, also where nothing was left to train.
func TestKeepRunsUnderTheLock(t *testing.T) {
	o := pureGo(t)
	o.Dir = t.TempDir()
	var kept []*Result
	o.Keep = func(r *Result) error {
		held, begun := Look(o.Dir)
		assert.True(t, held)
		assert.True(t, begun)
		kept = append(kept, r)
		return nil
	}
	for range 2 {
		r := mustRun(t, toy(4, 1), config(10, 0), o)
		assert.Same(t, r, kept[len(kept)-1])
	}
	assert.Len(t, kept, 2)
	held, begun := Look(o.Dir)
	assert.Equal(t, [2]bool{false, true}, [2]bool{held, begun})
	o.Keep = func(*Result) error { return os.ErrPermission }
	_, err := Run(t.Context(), toy(4, 1), config(10, 0), o)
	require.ErrorIs(t, err, os.ErrPermission)
	assert.ErrorIs(t, interrupted(t, toy(4, 1), config(90, 0), Options{Backend: o.Backend, Dir: t.TempDir(),
		Keep: func(*Result) error { t.Error("nothing is to be kept"); return nil }}, 5), ErrInterrupted)
}

// TestLockedRunsUnderTheLock: before anything is read, and its error ends the training.
func TestLockedRunsUnderTheLock(t *testing.T) {
	o := pureGo(t)
	o.Dir = t.TempDir()
	o.Locked = func() error {
		held, begun := Look(o.Dir)
		assert.True(t, held)
		assert.False(t, begun)
		return os.ErrExist
	}
	_, err := Run(t.Context(), toy(4, 1), config(10, 0), o)
	require.ErrorIs(t, err, os.ErrExist)
	held, begun := Look(o.Dir)
	assert.False(t, held)
	assert.False(t, begun)
}

func TestClear(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of a run")
	require.NoError(t, Clear(dir), "a folder that is not there is clear")
	held, begun := Look(dir)
	assert.Equal(t, [2]bool{false, false}, [2]bool{held, begun})
	assert.NoDirExists(t, dir)

	holder := testkit.Must(acquire(dir))
	for _, name := range []string{
		checkpointName(1), checkpointName(2) + damaged, checkpointName(3) + ".7" + unfinished,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, Clear(dir))
	assert.FileExists(t, filepath.Join(dir, checkpointName(1)), "another one works there")
	holder.Close()

	notOurs := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(notOurs, nil, 0o600))
	require.NoError(t, Clear(dir))
	left := testkit.Must(filepath.Glob(filepath.Join(dir, "step-*")))
	assert.Empty(t, left)
	assert.FileExists(t, notOurs)
	require.NoError(t, os.Remove(notOurs))
	require.NoError(t, Clear(dir))
	assert.NoDirExists(t, dir)
}
