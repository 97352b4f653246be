package fsx

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A lock excludes two openings of a file in one process as it does in two.
func TestTheSecondWaitsForTheFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Lock(t.Context(), path, func() { t.Error("it is free") })
	require.NoError(t, err)
	waited := 0
	second, err := Lock(t.Context(), path, func() {
		waited++
		require.NoError(t, first.Close())
	})
	require.NoError(t, err)
	require.Equal(t, 1, waited)
	require.NoError(t, second.Close())
}

// Who waited for a file that its holder removed takes a new one, which keeps others out.
func TestAFileThatItsHolderRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Lock(t.Context(), path, nil)
	require.NoError(t, err)
	second, err := Lock(t.Context(), path, func() {
		DropLock(first)
		require.NoFileExists(t, path)
	})
	require.NoError(t, err)
	defer second.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	_, err = Lock(ctx, path, func() { cancel(cause) })
	require.ErrorIs(t, err, cause)
}

// A file that was removed or replaced is no lock any more.
func TestALockIsWhereItWasTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := Lock(t.Context(), path, nil)
	require.NoError(t, err)
	defer held.Close()
	require.True(t, isAt(held, path))
	require.NoError(t, os.Remove(path))
	require.False(t, isAt(held, path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.False(t, isAt(held, path), "another file of that name")
}

// Who only tries can read what the holder wrote.
func TestTryingAHeldLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, locked, err := TryLock(path)
	require.NoError(t, err)
	require.True(t, locked)
	_, err = first.WriteString("me")
	require.NoError(t, err)
	second, locked, err := TryLock(path)
	require.NoError(t, err)
	require.False(t, locked)
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

func TestAFolderThatIsNotThere(t *testing.T) {
	_, err := Lock(t.Context(), filepath.Join(t.TempDir(), "nowhere", "lock"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// Who looks does not look like a holder to others who look at the same time.
func TestLookersDoNotSeeEachOther(t *testing.T) {
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

// A link instead of the file is not followed, since its target may be someone else's.
func TestALinkIsNotLocked(t *testing.T) {
	dir := t.TempDir()
	theirs, link := filepath.Join(dir, "theirs"), filepath.Join(dir, "f.part")
	require.NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
	require.NoError(t, os.Symlink(theirs, link))
	_, _, err := TryLock(link)
	require.ErrorContains(t, err, link)
}
