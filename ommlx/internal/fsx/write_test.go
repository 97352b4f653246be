package fsx

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// names lists a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func requireFile(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, mode, info.Mode())
}

func TestWriteMakesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	require.NoError(t, Write(path, []byte("old")))
	requireFile(t, path, "old", 0o644)
	require.NoError(t, os.Chmod(path, 0o640))
	require.NoError(t, Write(path, []byte("new")))
	requireFile(t, path, "new", 0o640)
	assert.Equal(t, []string{"result.json"}, names(t, dir))
}

// TestWriteLeavesNothingAfterAnError: a file cannot replace a folder that is not empty.
func TestWriteLeavesNothingAfterAnError(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "taken", "by a folder"), 0o755))
	require.Error(t, Write(filepath.Join(dir, "taken"), []byte("new")))
	assert.Equal(t, []string{"taken"}, names(t, dir))
	require.ErrorIs(t, Write(filepath.Join(dir, "nowhere", "file"), nil), fs.ErrNotExist)
}

func TestReadersSeeWholeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	const size = 1 << 20
	require.NoError(t, Write(path, make([]byte, size)))
	var writers sync.WaitGroup
	for i := range 2 {
		writers.Go(func() {
			for range 20 {
				assert.NoError(t, Write(path, bytes.Repeat([]byte{byte(i)}, size)))
			}
		})
	}
	ended := make(chan struct{})
	go func() { writers.Wait(); close(ended) }()
	for reading := true; reading; {
		select {
		case <-ended:
			reading = false
		default:
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, size, bytes.Count(text, text[:1]))
	}
	assert.Equal(t, []string{"file"}, names(t, filepath.Dir(path)))
}

// TestSHA256 uses the example "abc" of NIST's FIPS 180-4.
func TestSHA256(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("abc"), 0o644))
	got, err := SHA256(path)
	require.NoError(t, err)
	assert.Equal(t, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", got)

	_, err = SHA256(path + "x")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
