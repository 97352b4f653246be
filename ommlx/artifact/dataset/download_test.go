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

	"omm-go/ommlx/internal/testkit"
)

// large is a collection of one file of 3 MB, more than a file of unknown size may have, and its content.
func large() (Collection, []byte) {
	content := make([]byte, 3_000_000)
	rand.NewChaCha8([32]byte{1}).Read(content)
	file := File{Name: "big.bin", SHA256: sum(content), Size: int64(len(content))}
	return Collection{Kind: "sample", Files: []File{file}}, content
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
	got := testkit.Must(os.ReadFile(filepath.Join(dir, "big.bin")))
	require.True(t, bytes.Equal(content, got))
}

// unsummed is large without what is known of it.
func unsummed() (Collection, []byte) {
	c, content := large()
	c.Files[0].SHA256, c.Files[0].Size, c.Files[0].Most = "", 0, 4_000_000
	return c, content
}

// TestACutTransferGoesOn, also of a file of which neither sum nor size is published; what is there is not fetched
// again.
func TestACutTransferGoesOn(t *testing.T) {
	for ofThePage, of := range map[string]func() (Collection, []byte){
		"has 35 bytes, expected 3000000; check the address":                      large,
		"has more already; check the address, or delete that file to begin anew": unsummed,
	} {
		c, content := of()
		var asked []string
		page := rangeless([]byte("<html>Log in to this network</html>"))
		url, dir := answers(t, &asked, cut(content, 1_000_000), page, whole(content)), t.TempDir()
		path := filepath.Join(dir, "big.bin")
		err := c.Get(t.Context(), url, dir, nil)
		assert.EqualError(t, err, "the transfer of big.bin from "+url+"/big.bin was cut off after 1000000 of 3000000 "+
			"bytes (unexpected EOF); "+path+".part holds what has come, and the same command goes on from there")
		assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), ofThePage)
		assert.Equal(t, []string{"big.bin.part"}, files(t, dir), "a page in the place of the file costs nothing")
		require.NoError(t, os.Chmod(path+".part", 0o600))

		var out bytes.Buffer
		require.NoError(t, c.Get(t.Context(), url, dir, &out))
		requireContent(t, dir, content)
		assert.Equal(t, os.FileMode(0o644), testkit.Must(os.Stat(path)).Mode())
		require.NoError(t, c.Get(t.Context(), url, dir, &out))
		assert.Equal(t, []string{"", "bytes=1000000-", "bytes=1000000-"}, asked)
		assert.Equal(t, "[1/1] "+path+": fetched, 3.0 MB, of which an earlier transfer left 1.0 MB\n"+
			"[1/1] "+path+": already there\n", out.String())
	}
}

// TestWhateverLiesInThePlaceOfThePartialFile the right file comes out, also whatever the server makes of the range that
// is asked for, with no more requests than it takes.
func TestWhateverLiesInThePlaceOfThePartialFile(t *testing.T) {
	c, content := large()
	other := bytes.Repeat([]byte("other"), len(content)/5)
	elsewhere := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", len(content)-1, len(content)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(content[5:])
	}
	const anew, plain = "does not fit; starting anew\n", ": fetched, 3.0 MB\n"
	type serve = []http.HandlerFunc
	type ranges = []string
	again := ranges{"bytes=9-", ""}
	for name, test := range map[string]struct {
		part []byte
		serve
		ranges
		says string
	}{
		"nothing": {nil, serve{whole(content)}, ranges{""}, plain},
		"all of the file": {content, serve{whole(content)}, ranges{"bytes=3000000-"},
			": fetched, 3.0 MB, of which an earlier transfer left 3.0 MB\n"},
		"a server without ranges": {content[:9], serve{rangeless(content)}, ranges{"bytes=9-"}, plain},
		"another part than asked": {content[:9], serve{elsewhere, whole(content)}, again, anew},
		"the file changed":        {other[:9], serve{whole(content), whole(content)}, again, anew},
		"the file was shorter":    {content[:9], serve{whole(other[:20]), whole(content)}, again, anew},
		"all of another file":     {other, serve{whole(content), whole(content)}, ranges{"bytes=3000000-", ""}, anew},
		"more than the file has": {append(other, 1), serve{whole(content), whole(content)},
			ranges{"bytes=3000001-", ""}, anew},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			url, dir := answers(t, &asked, test.serve...), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), test.part, 0o644))
			var out strings.Builder
			require.NoError(t, c.Get(t.Context(), url, dir, &out))
			assert.Equal(t, test.ranges, asked)
			assert.Contains(t, out.String(), test.says)
			requireContent(t, dir, content)
		})
	}
}

// A file on the server that is not the expected one is told from its size before it is fetched, else from its sum, and
// nothing of it stays, also not of what an earlier transfer left; a file that is there stays as it is.
func TestTheServerHasAnotherFile(t *testing.T) {
	c, content := large()
	other := bytes.Repeat([]byte{7}, len(content))
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"shorter":           {whole(other[1:]), "/big.bin has 2999999 bytes, expected 3000000; check the address"},
		"longer, not told":  {flushed(append(other, 7)), "is not the expected file: it has more than 3000000 bytes"},
		"shorter, not told": {flushed(other[1:]), "is not the expected file: SHA-256 is " + sum(other[1:])},
		"of the expected size": {whole(other), "is not the expected file: SHA-256 is " + sum(other) + ", expected " +
			c.Files[0].SHA256 + "; nothing was written for it, try again"},
	} {
		for _, part := range [][]byte{nil, content[:9]} {
			var asked []string
			url, dir := answers(t, &asked, test.serve, test.serve), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), part, 0o644))
			put(t, dir, "big.bin", "old")
			err := c.Get(t.Context(), url, dir, nil)
			assert.ErrorContains(t, err, url, name)
			assert.ErrorContains(t, err, test.says, name)
			assert.NotContains(t, err.Error(), "\n")
			assert.Equal(t, []string{"big.bin"}, files(t, dir), name)
			assert.Equal(t, "old", string(testkit.Must(os.ReadFile(filepath.Join(dir, "big.bin")))))
		}
	}
}

// flushed sends content without telling how much it is.
func flushed(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		w.Write(content)
	}
}

func TestAPartialFileOutlivesAServerThatIsAway(t *testing.T) {
	c, content := large()
	var asked []string
	url, dir := answers(t, &asked, http.NotFound), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), content[:9], 0o644))
	err := c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "cannot fetch big.bin: "+url+"/big.bin answered 404 Not Found")
	assert.ErrorContains(t, c.Get(t.Context(), "http://127.0.0.1:1", dir, nil), "check the network connection")
	kept := testkit.Must(os.ReadFile(filepath.Join(dir, "big.bin.part")))
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

// The process was killed when all had come: the server tells.
func TestAllOfAFileWithoutASumHadCome(t *testing.T) {
	c, content := unsummed()
	for _, more := range []int{0, 1} {
		var asked []string
		url, dir := answers(t, &asked, whole(content), whole(content)), t.TempDir()
		part := append(bytes.Clone(content), make([]byte, more)...)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "big.bin.part"), part, 0o644))
		require.NoError(t, c.Get(t.Context(), url, dir, nil))
		requireContent(t, dir, content)
		assert.Len(t, asked, 1+more, "what is more than the server has is discarded")
	}
}

func TestAFileWithoutASumHasALimit(t *testing.T) {
	c, content := unsummed()
	c.Files[0].Most = 2_999_999
	var asked []string
	url, dir := answers(t, &asked, whole(content)), t.TempDir()
	assert.ErrorContains(t, c.Get(t.Context(), url, dir, nil), "it has more than 2999999 bytes")
	assert.Empty(t, files(t, dir))
}
