package dataset

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTooLittleSpaceIsToldBeforeTheTransfer(t *testing.T) {
	c, content := large()
	var asked []string
	url, dir := answers(t, &asked, whole(content), whole(content), whole(content)), t.TempDir()
	left := func(bytes uint64, err error) space {
		return func(of string) (uint64, error) {
			assert.Equal(t, dir, of)
			return bytes, err
		}
	}
	err := c.get(t.Context(), url, dir, nil, left(2_999_999, nil))
	assert.EqualError(t, err, "big.bin needs 3.0 MB, and the disk of "+dir+" has 3.0 MB left; make room, "+
		"or set OMM_DATA to a folder on another disk")
	assert.Empty(t, files(t, dir))
	assert.ErrorContains(t, c.get(t.Context(), url, dir, nil, left(0, errors.New("no answer"))), "no answer")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), content[:9], 0o644))
	require.NoError(t, c.get(t.Context(), url, dir, nil, left(2_999_991, nil)), "what is there needs no more space")
	requireContent(t, dir, content)
}

// TestTheDiskFillsUp writes to the device that is always full.
func TestTheDiskFillsUp(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no device that is always full")
	}
	defer full.Close()
	c, content := large()
	var asked []string
	d := download{
		file: c.Files[0], url: answers(t, &asked, whole(content)), dir: t.TempDir(), free: freeSpace,
		part: &partial{file: full, digest: sha256.New()},
	}
	err = d.transfer(t.Context())
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, "the disk of "+d.dir+" is full")
	assert.ErrorContains(t, err, "make room, or set OMM_DATA to a folder on another disk")
}

func TestFreeSpace(t *testing.T) {
	free, err := freeSpace(t.TempDir())
	require.NoError(t, err)
	assert.Positive(t, free)
	_, err = freeSpace(filepath.Join(t.TempDir(), "nowhere"))
	assert.ErrorContains(t, err, "its free space is not known")
}

// TestMemoryDoesNotGrowWithTheFile: fetching, finding and verifying 64 MiB allocates a small part of that, all in all.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	data, _ := isolate(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), 4<<20)
	c := Collection{Kind: "sample", Files: []File{{Name: "big.bin", SHA256: sum(content), Size: int64(len(content))}}}
	var asked []string
	c.BaseURL = answers(t, &asked, cut(content, 30<<20), whole(content))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Error(t, c.Get(t.Context(), "", "", nil))
	require.NoError(t, c.Get(t.Context(), "", "", nil))
	path, err := c.Path("big.bin")
	require.NoError(t, err)
	status, err := c.Status()
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Equal(t, []FileStatus{{Name: "big.bin", State: Correct, Path: path}}, status)
	assert.Equal(t, filepath.Join(data, "sample", "big.bin"), path)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(len(content)/16))
}
