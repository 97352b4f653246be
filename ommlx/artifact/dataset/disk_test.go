package dataset

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

func TestTooLittleSpaceIsToldBeforeTheTransfer(t *testing.T) {
	c := Collection{Kind: "sample", Files: []File{{Name: "big.bin", SHA256: sum(nil), Size: 1e18}}}
	var asked []string
	dir := t.TempDir()
	url := answers(t, &asked, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(int64(1e18)))
		w.(http.Flusher).Flush()
	})
	err := c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "big.bin needs 1.0 EB, and the disk of "+dir+" has ")
	assert.ErrorContains(t, err, " left; make room, or set OMM_DATA to a folder on another disk")
	assert.Empty(t, files(t, dir))
	assert.ErrorContains(t, CheckSpace(filepath.Join(dir, "nowhere"), "", 1), "its free space is not known")
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
	dir := t.TempDir()
	d := download{File: c.Files[0], url: answers(t, &asked, whole(content)), path: filepath.Join(dir, "big.bin"),
		part: full}
	err = d.transfer(t.Context())
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, "the disk of "+dir+" is full")
	assert.ErrorContains(t, err, "make room, or set OMM_DATA to a folder on another disk")
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
	path := testkit.Must(c.Path("big.bin"))
	status := testkit.Must(c.Status())
	runtime.ReadMemStats(&after)
	assert.Equal(t, []FileStatus{{Name: "big.bin", State: Correct, Path: path}}, status)
	assert.Equal(t, filepath.Join(data, "sample", "big.bin"), path)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(len(content)/16))
}

// signal closes itself when something is written that contains the word.
type signal struct {
	word string
	once sync.Once
	seen chan struct{}
	text strings.Builder
}

func (s *signal) Write(text []byte) (int, error) {
	s.text.Write(text)
	if strings.Contains(s.text.String(), s.word) {
		s.once.Do(func() { close(s.seen) })
	}
	return len(text), nil
}

// TestTwoAtTheSameTime: the second one waits, and has the file when the first one is done. A lock excludes two openings
// of a file in one process as it does in two.
func TestTwoAtTheSameTime(t *testing.T) {
	c, content := large()
	dir := t.TempDir()
	waiting := &signal{word: "another process is fetching it", seen: make(chan struct{})}
	begun := make(chan struct{})
	var asked []string
	url := answers(t, &asked, func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-waiting.seen
		whole(content)(w, r)
	})
	var both sync.WaitGroup
	both.Go(func() { assert.NoError(t, c.Get(t.Context(), url, dir, nil)) })
	<-begun
	both.Go(func() { assert.NoError(t, c.Get(t.Context(), url, dir, waiting)) })
	both.Wait()
	assert.Len(t, asked, 1)
	assert.Contains(t, waiting.text.String(), "already there")
	requireContent(t, dir, content)
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	c, _ := large()
	dir := t.TempDir()
	held := testkit.Must(fsx.Lock(t.Context(), filepath.Join(dir, "big.bin.part"), nil))
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := c.Get(ctx, "http://127.0.0.1:1", dir, nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "stopped while waiting for another process")
	assert.Equal(t, []string{"big.bin.part"}, files(t, dir), "which goes on")
}
