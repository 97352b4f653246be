package dataset

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzGet: whatever a server answers and a file is called, a download puts the right content under that name into its
// folder, or nothing anywhere and says why in one line.
func FuzzGet(f *testing.F) {
	var reply []byte
	var status int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		w.Write(reply)
	}))
	f.Cleanup(server.Close)
	for _, name := range []string{
		"GridMaze-7.txt", "../evil", "/etc/evil", "a/b", "..", ".", "", "/", "a\x00b", "a\nb", "%zz", "a?b#c", "é",
		"a.part",
	} {
		f.Add(name, []byte("X X\n"), []byte("X X\n"), 200)
	}
	f.Add("page.txt", []byte("X X\n"), []byte("<html>"), 200)
	f.Add("gone.txt", []byte("X X\n"), []byte("X X\n"), 404)
	f.Add("none.txt", []byte{}, []byte{}, 204)
	f.Fuzz(func(t *testing.T, name string, want, served []byte, code int) {
		if code < 200 || code > 599 || len(name) > 200 {
			t.Skip("no answer that HTTP knows, or no name that a disk can have")
		}
		reply, status = served, code
		around := t.TempDir()
		dir := filepath.Join(around, "sample")
		c := Collection{Kind: "sample", Files: []File{{Name: name, SHA256: sum(want)}}}
		err := c.Get(t.Context(), server.URL, dir, nil)
		var written []string
		require.NoError(t, filepath.WalkDir(around, func(path string, d fs.DirEntry, err error) error {
			if !d.IsDir() {
				written = append(written, path)
			}
			return err
		}))
		if err != nil {
			require.Empty(t, written)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Equal(t, []string{filepath.Join(dir, name)}, written)
		content, err := os.ReadFile(written[0])
		require.NoError(t, err)
		require.Equal(t, string(want), string(content))
	})
}

// answer is a network that answers everything with one content.
type answer string

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(string(a))), Request: r}, nil
}

// FuzzBaseURL: an address that somebody types is asked for a file of the collection, or refused in one line that names
// it.
func FuzzBaseURL(f *testing.F) {
	c, content := sample()
	c.Files = c.Files[:1]
	saved := http.DefaultClient.Transport
	f.Cleanup(func() { http.DefaultClient.Transport = saved })
	http.DefaultClient.Transport = answer(content["one.txt"])
	for _, url := range []string{
		"http://x/txts", "https://x/txts/", "x", "://", "http://", "http://[::1", "http://x/%zz", "ftp://x",
		"http://x\n/",
		"http://u:p@x:99999/?q=#",
	} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		dir := t.TempDir()
		err := c.Get(t.Context(), url, dir, nil)
		if err == nil {
			require.Equal(t, []string{"one.txt"}, files(t, dir))
			return
		}
		require.Empty(t, files(t, dir))
		require.ErrorContains(t, err, "cannot fetch one.txt")
		require.NotContains(t, err.Error(), "\n")
	})
}
