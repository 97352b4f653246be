package fsx

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLockIsHeldOnce opens the file twice in one process, which is like two processes. The second opening can read what
// the first wrote.
func TestLockIsHeldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, locked, err := TryLock(path)
	require.NoError(t, err)
	require.True(t, locked)
	_, err = first.WriteString("me")
	require.NoError(t, err)
	second, locked, err := TryLock(path)
	require.NoError(t, err)
	require.False(t, locked)
	require.True(t, Held(second))
	text, err := io.ReadAll(second)
	require.NoError(t, err)
	require.Equal(t, "me", string(text))
	require.NoError(t, second.Close())
	require.NoError(t, first.Close())
	third, locked, err := TryLock(path)
	require.NoError(t, err)
	require.True(t, locked, "the first let go")
	require.NoError(t, third.Close())
}

// TestRemovedFileIsNoLock: a file that was removed or replaced no longer locks.
func TestRemovedFileIsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, _, err := TryLock(path)
	require.NoError(t, err)
	defer held.Close()
	require.True(t, isAt(held, path))
	require.NoError(t, os.Remove(path))
	require.False(t, isAt(held, path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.False(t, isAt(held, path), "another file of that name")
	_, _, err = TryLock(filepath.Join(path, "nowhere", "lock"))
	require.Error(t, err)
	_, _, err = TryLock(filepath.Join(t.TempDir(), "nowhere", "lock"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestHeldIgnoresOtherCallsOfHeld, which only take shared locks.
func TestHeldIgnoresOtherCallsOfHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	looking := func() *os.File {
		file, err := os.Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		return file
	}
	require.False(t, Held(looking()))
	require.False(t, Held(looking()), "the first one still has the file open")
}

// TestLinkIsNotLocked: a link is not followed, since its target may be someone else's file.
func TestLinkIsNotLocked(t *testing.T) {
	dir := t.TempDir()
	theirs, link := filepath.Join(dir, "theirs"), filepath.Join(dir, "lock")
	require.NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
	require.NoError(t, os.Symlink(theirs, link))
	_, _, err := TryLock(link)
	require.ErrorContains(t, err, link)
}
