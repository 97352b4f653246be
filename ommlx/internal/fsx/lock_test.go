package fsx

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLockIsHeldOnce opens the file twice in one process, which is like two processes.
func TestLockIsHeldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first := lock(t, path)
	_, err := first.WriteString("me")
	require.NoError(t, err)
	second, locked, err := TryLock(path)
	require.NoError(t, err)
	require.False(t, locked)
	require.True(t, Held(second))
	text, err := io.ReadAll(second)
	require.NoError(t, err)
	require.Equal(t, "me", string(text), "what the holder wrote")
	require.NoError(t, second.Close())
	require.NoError(t, first.Close())
	lock(t, path)
}

func lock(t *testing.T, path string) *os.File {
	t.Helper()
	file, locked, err := TryLock(path)
	require.NoError(t, err)
	require.True(t, locked)
	t.Cleanup(func() { file.Close() })
	return file
}

func TestRemovedFileIsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held := lock(t, path)
	require.True(t, isAt(held, path))
	require.NoError(t, os.Remove(path))
	require.False(t, isAt(held, path))
	lock(t, path)
	require.False(t, isAt(held, path), "another file of that name")
	_, _, err := TryLock(filepath.Join(t.TempDir(), "missing", "lock"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestHeldIgnoresOtherCallsOfHeld: they only take shared locks.
func TestHeldIgnoresOtherCallsOfHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	for range 2 {
		file, err := os.Open(path)
		require.NoError(t, err)
		defer file.Close()
		require.False(t, Held(file))
	}
}
