package train

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

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
