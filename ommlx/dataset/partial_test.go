package dataset

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	held, err := openPartial(t.Context(), filepath.Join(dir, "big.bin"), nil)
	require.NoError(t, err)
	defer held.close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = c.Get(ctx, "http://127.0.0.1:1", dir, nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "stopped while waiting for another process")
	assert.Equal(t, []string{"big.bin.part"}, files(t, dir), "which goes on")
}

// What was cut off in the middle of a write is taken up as it is, with its sum.
func TestPartialIsTakenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, piece := range []string{"one ", "two ", "three"} {
		p, err := openPartial(t.Context(), path, nil)
		require.NoError(t, err)
		_, err = p.Write([]byte(piece))
		require.NoError(t, err)
		p.close()
	}
	p, err := openPartial(t.Context(), path, nil)
	require.NoError(t, err)
	assert.EqualValues(t, 13, p.size)
	assert.Equal(t, sum([]byte("one two three")), p.sum())
	require.NoError(t, p.publish(path))
	p.close()
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "one two three", string(got))

	p, err = openPartial(t.Context(), path, nil)
	require.NoError(t, err)
	assert.Zero(t, p.size, "a new one")
	p.close()
	assert.Equal(t, []string{"file"}, files(t, filepath.Dir(path)), "an empty one does not stay")
}
