package train

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLockNamesItsHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	first, err := acquire(dir)
	require.NoError(t, err)
	_, err = acquire(dir)
	require.ErrorIs(t, err, errHeld)
	assert.Regexp(t, `by process \d+ on .+ since \d{4}-.* \(lock .*/new/folder/lock\); wait for it to end`, err)
	// A holder that has not yet written its name.
	require.NoError(t, os.Truncate(filepath.Join(dir, lockName), 0))
	_, err = acquire(dir)
	assert.ErrorContains(t, err, "by another process (lock ")
	first.release()
	second, err := acquire(dir)
	require.NoError(t, err)
	second.release()
}

// TestLockThatWasRemoved keeps nobody out, so its holder must not take it for one.
func TestLockThatWasRemoved(t *testing.T) {
	dir := t.TempDir()
	held, err := acquire(dir)
	require.NoError(t, err)
	defer held.release()
	path := filepath.Join(dir, lockName)
	assert.True(t, isAt(held.file, path))
	require.NoError(t, os.Remove(path))
	assert.False(t, isAt(held.file, path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	assert.False(t, isAt(held.file, path), "another file of that name")
}

func TestClear(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of a run")
	require.NoError(t, Clear(dir), "a folder that is not there is clear")
	assert.NoDirExists(t, dir)

	held, err := acquire(dir)
	require.NoError(t, err)
	for _, name := range []string{checkpointName(1), checkpointName(2) + damaged, checkpointName(3) + ".7" + unfinished} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, Clear(dir))
	assert.FileExists(t, filepath.Join(dir, checkpointName(1)), "another one works there")
	held.release()

	notOurs := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(notOurs, nil, 0o600))
	require.NoError(t, Clear(dir))
	left, err := filepath.Glob(filepath.Join(dir, "step-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.FileExists(t, notOurs)
	require.NoError(t, os.Remove(notOurs))
	require.NoError(t, Clear(dir))
	assert.NoDirExists(t, dir)
}
