package dataset

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// files returns the names in dir.
func files(t *testing.T, dir string) []string {
	entries := testkit.Must(os.ReadDir(dir))
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestGetFetchesWhatIsMissingOrAltered(t *testing.T) {
	c, content := sample()
	one := func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/folder/one.txt", r.URL.Path)
		whole([]byte(content["one.txt"]))(w, r)
	}
	two := whole([]byte(content["two.txt"]))
	var asked []string
	url, dir := answers(t, &asked, one, two, two), filepath.Join(t.TempDir(), "new", "folder")
	var progress bytes.Buffer

	require.NoError(t, c.Get(t.Context(), url+"/folder/", dir, &progress))
	assert.Len(t, asked, 2)
	assert.Equal(t, []string{"one.txt", "two.txt"}, files(t, dir))
	for name, want := range content {
		got := testkit.Must(os.ReadFile(filepath.Join(dir, name)))
		assert.Equal(t, want, string(got))
		info := testkit.Must(os.Stat(filepath.Join(dir, name)))
		assert.Equal(t, fs.FileMode(0o644), info.Mode().Perm())
	}
	assert.Contains(t, progress.String(), "[1/2] "+filepath.Join(dir, "one.txt")+": fetched, 4 bytes\n")

	progress.Reset()
	require.NoError(t, c.Get(t.Context(), url, dir, &progress))
	assert.Len(t, asked, 2, "correct files are not fetched again")
	assert.Equal(t, 2, strings.Count(progress.String(), "already there\n"))

	put(t, dir, "two.txt", "altered")
	require.NoError(t, c.Get(t.Context(), url, dir, nil))
	assert.Len(t, asked, 3, "only the altered file is fetched")
	got := testkit.Must(os.ReadFile(filepath.Join(dir, "two.txt")))
	assert.Equal(t, content["two.txt"], string(got))
}

func TestGetWithoutNetwork(t *testing.T) {
	c, content := sample()
	const url = "http://127.0.0.1:1"
	dir := t.TempDir()
	err := c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "cannot fetch one.txt")
	assert.ErrorContains(t, err, "check the network connection")
	for _, wrong := range []string{"x", "://", "http://", "http://[::1", "http://x/%zz", "ftp://x", "http://x\n/"} {
		err := c.Get(t.Context(), wrong, dir, nil)
		assert.ErrorContains(t, err, "cannot fetch one.txt")
		assert.NotContains(t, err.Error(), "\n")
		assert.Empty(t, files(t, dir))
	}

	for name, text := range content {
		put(t, dir, name, text)
	}
	assert.NoError(t, c.Get(t.Context(), url, dir, nil), "nothing is missing, so no network is needed")
}

func TestGetSaysThatAFolderCannotBeWritten(t *testing.T) {
	c, _ := sample()
	const url = "http://127.0.0.1:1"
	// A plain file in the way, since permissions would not stop an administrator.
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o644))
	err := c.Get(t.Context(), url, filepath.Join(blocked, "grids"), nil)
	assert.ErrorContains(t, err, "cannot write data to "+filepath.Join(blocked, "grids"))
	assert.ErrorContains(t, err, DataVariable)

	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "one.txt", "in the way"), 0o755))
	err = c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "cannot write data to "+dir)
	assert.ErrorContains(t, err, "one.txt is a folder")
	assert.Equal(t, []string{"one.txt"}, files(t, dir))
}

// TestARedirectStaysProtected: a file without a sum is what the server says it is, so nobody in between may answer.
func TestARedirectStaysProtected(t *testing.T) {
	c, content := sample()
	one, two := whole([]byte(content["one.txt"])), whole([]byte(content["two.txt"]))
	var asked []string
	plain := answers(t, &asked, one, two, one, two)
	away := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain+r.URL.Path, http.StatusFound)
	})
	protected, open := httptest.NewTLSServer(away), httptest.NewServer(away)
	t.Cleanup(protected.Close)
	t.Cleanup(open.Close)
	defer func(saved http.RoundTripper) { http.DefaultTransport = saved }(http.DefaultTransport)
	http.DefaultTransport = protected.Client().Transport
	require.NoError(t, c.Get(t.Context(), protected.URL, t.TempDir(), nil), "the sum tells what came")

	for i := range c.Files {
		c.Files[i].SHA256, c.Files[i].Size, c.Files[i].Most = "", 0, 100
	}
	err := c.Get(t.Context(), protected.URL, t.TempDir(), nil)
	assert.ErrorContains(t, err, "from https to http, where anybody in between could answer")
	assert.Len(t, asked, 2)
	require.NoError(t, c.Get(t.Context(), open.URL, t.TempDir(), nil), "which was never protected")
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(loop.Close)
	assert.ErrorContains(t, c.Get(t.Context(), loop.URL, t.TempDir(), nil), "stopped after 10 redirects")
}

// slow is a network on which a file comes in pieces with a pause before each, on a clock that does not wait.
type slow struct {
	content []byte
	piece   int
	pause   time.Duration
}

func (s *slow) RoundTrip(r *http.Request) (*http.Response, error) {
	rest := s.content
	body := reader(func(b []byte) (int, error) {
		if len(rest) == 0 {
			return 0, io.EOF
		}
		select {
		case <-time.After(s.pause):
		case <-r.Context().Done():
			return 0, r.Context().Err()
		}
		n := copy(b, rest[:min(s.piece, len(rest))])
		rest = rest[n:]
		return n, nil
	})
	return &http.Response{
		StatusCode: 200, ContentLength: int64(len(s.content)), Body: io.NopCloser(body), Request: r,
	}, nil
}

// fetchSlowly fetches the large file in pieces of 30 kB and returns what was written.
func fetchSlowly(t *testing.T, dir string, pause time.Duration) (string, error) {
	c, content := large()
	saved := http.DefaultClient.Transport
	t.Cleanup(func() { http.DefaultClient.Transport = saved })
	http.DefaultClient.Transport = &slow{content, 30_000, pause}
	var out bytes.Buffer
	var err error
	synctest.Test(t, func(t *testing.T) { err = c.Get(t.Context(), "http://slow", dir, &out) })
	return out.String(), err
}

// A transfer may take as long as it likes while bytes come: this one takes 98 minutes.
func TestASlowTransferIsNotGivenUp(t *testing.T) {
	dir := t.TempDir()
	_, err := fetchSlowly(t, dir, silence-time.Second)
	require.NoError(t, err)
	_, content := large()
	requireContent(t, dir, content)
}

func TestASilentTransferIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	_, err := fetchSlowly(t, dir, silence+time.Second)
	assert.EqualError(t, err, "the transfer of big.bin from http://slow/big.bin was given up: no byte came for 1m0s; "+
		"nothing was written for it, try again")
	assert.False(t, errors.Is(err, errUnexpected))
	assert.Empty(t, files(t, dir))
}

// In a log a transfer of 100 s with 30 kB each second is told every 15 s.
func TestProgressInALog(t *testing.T) {
	dir := t.TempDir()
	out := testkit.Must(fetchSlowly(t, dir, time.Second))
	lines := strings.Split(out, "\n")
	require.Len(t, lines, 8)
	assert.Equal(t, " 16% big.bin  480.0 kB of 3.0 MB  left 1m24s", lines[0])
	assert.Equal(t, "[1/1] "+dir+"/big.bin: fetched, 3.0 MB", lines[6])
}

func TestAmount(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 169_001_437: "169.0 MB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		1_444_000_000: "1.4 GB", 5_000_000_000_000: "5.0 TB",
	} {
		assert.Equal(t, want, Amount(bytes))
	}
}
