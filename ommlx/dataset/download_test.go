package dataset

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// large is a collection of one file of 3 MB, more than a file of unknown size may have, and its content.
func large() (Collection, []byte) {
	content := make([]byte, 3_000_000)
	rand.NewChaCha8([32]byte{1}).Read(content)
	return Collection{Kind: "sample", Files: []File{{Name: "big.bin", SHA256: sum(content), Size: int64(len(content))}}}, content
}

// answers serves one request after the other by one handler after the other, and appends what is asked for to asked.
func answers(t *testing.T, asked *[]string, handlers ...http.HandlerFunc) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := len(*asked)
		*asked = append(*asked, r.Header.Get("Range"))
		if n >= len(handlers) {
			http.Error(w, "one request too many", http.StatusTeapot)
			return
		}
		handlers[n](w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// whole serves content, or the part of it that is asked for.
func whole(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// cut promises content and breaks the connection after n bytes.
func cut(content []byte, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:n])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// rangeless serves all of content whatever part of it is asked for.
func rangeless(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(content) }
}

func requireContent(t *testing.T, dir string, content []byte) {
	t.Helper()
	require.Equal(t, []string{"big.bin"}, files(t, dir), "the file and no partial one")
	got, err := os.ReadFile(filepath.Join(dir, "big.bin"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, got))
}

func TestACutTransferGoesOn(t *testing.T) {
	c, content := large()
	var asked []string
	url := answers(t, &asked, cut(content, 1_000_000), cut(content[1_000_000:], 500_000), whole(content))
	dir := t.TempDir()
	part := filepath.Join(dir, "big.bin.part")
	err := c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "the transfer of big.bin from "+url+"/big.bin was cut off after 1000000 of 3000000 bytes (unexpected EOF); "+
		part+" holds what has come, and the same command goes on from there")
	assert.Equal(t, []string{"big.bin.part"}, files(t, dir))

	// The second answer is not marked as a part, so it is taken for the whole file, which it is not.
	assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), "it has 2000000 bytes, expected 3000000")
	assert.Empty(t, files(t, dir))
	require.NoError(t, os.WriteFile(part, content[:1_000_000], 0o600))

	var out bytes.Buffer
	require.NoError(t, c.Get(t.Context(), url, dir, &out))
	assert.Equal(t, []string{"", "bytes=1000000-", "bytes=1000000-"}, asked)
	assert.Equal(t, "[1/1] "+filepath.Join(dir, "big.bin")+": fetched, 3.0 MB, of which an earlier transfer left 1.0 MB\n", out.String())
	requireContent(t, dir, content)
	info, err := os.Stat(filepath.Join(dir, "big.bin"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), info.Mode())
}

// TestPartialFilesThatCannotGoOn: whatever lies in the place of the partial file and whatever the server makes of the
// range that is asked for, the right file comes out, with no more requests than it takes.
func TestPartialFilesThatCannotGoOn(t *testing.T) {
	c, content := large()
	unsized := c
	unsized.Files = []File{{Name: "big.bin", SHA256: sum(content[:500_000])}}
	other := bytes.Repeat([]byte("other"), len(content)/5)
	elsewhere := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", len(content)-1, len(content)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(content[5:])
	}
	for name, test := range map[string]struct {
		c       Collection
		part    []byte
		serve   []http.HandlerFunc
		ranges  []string
		says    string
		content []byte
	}{
		"a server without ranges":  {c, content[:9], []http.HandlerFunc{rangeless(content)}, []string{"bytes=9-"}, "fetched, 3.0 MB\n", content},
		"another part than asked":  {c, content[:9], []http.HandlerFunc{elsewhere, whole(content)}, []string{"bytes=9-", ""}, "starting anew", content},
		"the file changed":         {c, other[:9], []http.HandlerFunc{whole(content), whole(content)}, []string{"bytes=9-", ""}, "starting anew", content},
		"the file became shorter":  {c, content[:9], []http.HandlerFunc{whole(other[:20]), whole(content)}, []string{"bytes=9-", ""}, "starting anew", content},
		"all of another file":      {c, other, []http.HandlerFunc{whole(content)}, []string{""}, "starting anew", content},
		"more than the file has":   {c, append(other, 1), []http.HandlerFunc{whole(content)}, []string{""}, "starting anew", content},
		"more than the server has": {unsized, other[:600_000], []http.HandlerFunc{whole(content[:500_000]), whole(content[:500_000])}, []string{"bytes=600000-", ""}, "starting anew", content[:500_000]},
		"all of the file":          {c, content, nil, nil, "fetched, 3.0 MB, of which an earlier transfer left 3.0 MB\n", content},
		"nothing":                  {c, nil, []http.HandlerFunc{whole(content)}, []string{""}, "fetched, 3.0 MB\n", content},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			url, dir := answers(t, &asked, test.serve...), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), test.part, 0o644))
			var out strings.Builder
			require.NoError(t, test.c.Get(t.Context(), url, dir, &out))
			assert.Equal(t, test.ranges, asked)
			assert.Contains(t, out.String(), test.says)
			requireContent(t, dir, test.content)
		})
	}
}

// A file on the server that is not the expected one is told from its size before it is fetched, else from its sum, and
// nothing of it stays, also not of what an earlier transfer left.
func TestTheServerHasAnotherFile(t *testing.T) {
	c, content := large()
	other := bytes.Repeat([]byte{7}, len(content))
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"shorter":              {whole(other[1:]), "it has 2999999 bytes, expected 3000000"},
		"longer, not told":     {func(w http.ResponseWriter, _ *http.Request) { flushed(w, append(other, 7)) }, "it has more than 3000000 bytes"},
		"shorter, not told":    {func(w http.ResponseWriter, _ *http.Request) { flushed(w, other[1:]) }, "SHA-256 is " + sum(other[1:])},
		"of the expected size": {whole(other), "SHA-256 is " + sum(other) + ", expected " + sum(content)},
	} {
		for _, part := range [][]byte{nil, content[:9]} {
			var asked []string
			url, dir := answers(t, &asked, test.serve, test.serve), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), part, 0o644))
			err := c.Get(t.Context(), url, dir, nil)
			assert.ErrorContains(t, err, "big.bin from "+url+"/big.bin is not the expected file: "+test.says, name)
			assert.NotContains(t, err.Error(), "\n")
			assert.Empty(t, files(t, dir), name)
		}
	}
}

// flushed sends content without telling how much it is.
func flushed(w http.ResponseWriter, content []byte) {
	w.(http.Flusher).Flush()
	w.Write(content)
}

func TestAPartialFileOutlivesAServerThatIsAway(t *testing.T) {
	c, content := large()
	var asked []string
	url, dir := answers(t, &asked, http.NotFound), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), content[:9], 0o644))
	assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), "cannot fetch big.bin: "+url+"/big.bin answered 404 Not Found")
	assert.ErrorContains(t, c.Get(t.Context(), "http://127.0.0.1:1", dir, nil), "check the network connection")
	kept, err := os.ReadFile(filepath.Join(dir, "big.bin.part"))
	require.NoError(t, err)
	assert.Equal(t, content[:9], kept)
}

func TestGetStopsWithItsContext(t *testing.T) {
	c, content := large()
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	part := filepath.Join(dir, "big.bin.part")
	var asked []string
	url := answers(t, &asked, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:9])
		w.(http.Flusher).Flush()
		for info, err := os.Stat(part); err != nil || info.Size() < 9; info, err = os.Stat(part) {
			time.Sleep(time.Millisecond)
		}
		cancel()
		<-r.Context().Done()
	}, whole(content))
	err := c.Get(ctx, url, dir, nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "stopped while fetching big.bin (context canceled); "+part+
		" holds what has come, and the same command goes on from there")
	assert.Equal(t, []string{"big.bin.part"}, files(t, dir))
	assert.ErrorIs(t, c.Get(ctx, url, t.TempDir(), nil), context.Canceled, "before it began")

	require.NoError(t, c.Get(t.Context(), url, dir, nil))
	assert.Equal(t, []string{"", "bytes=9-"}, asked)
	requireContent(t, dir, content)
}
