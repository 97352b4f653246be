package dataset

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve answers with the content and counts the requests.
func serve(t *testing.T, content map[string]string) (url string, requests *atomic.Int32) {
	requests = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text, ok := content[strings.TrimPrefix(r.URL.Path, "/folder/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/folder", requests
}

// files returns the names in dir.
func files(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestGetFetchesWhatIsMissingOrAltered(t *testing.T) {
	c, content := sample()
	url, requests := serve(t, content)
	dir := filepath.Join(t.TempDir(), "new", "folder")
	var progress bytes.Buffer

	require.NoError(t, c.Get(t.Context(), url+"/", dir, &progress))
	assert.EqualValues(t, 2, requests.Load())
	assert.Equal(t, []string{"one.txt", "two.txt"}, files(t, dir))
	for name, want := range content {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o644), info.Mode().Perm())
	}
	assert.Contains(t, progress.String(), "[1/2] "+filepath.Join(dir, "one.txt")+": fetched, 4 bytes\n")

	progress.Reset()
	require.NoError(t, c.Get(t.Context(), url, dir, &progress))
	assert.EqualValues(t, 2, requests.Load(), "correct files are not fetched again")
	assert.Equal(t, 2, strings.Count(progress.String(), "already there\n"))

	put(t, dir, "two.txt", "altered")
	require.NoError(t, c.Get(t.Context(), url, dir, nil))
	assert.EqualValues(t, 3, requests.Load(), "only the altered file is fetched")
	got, err := os.ReadFile(filepath.Join(dir, "two.txt"))
	require.NoError(t, err)
	assert.Equal(t, content["two.txt"], string(got))
}

func TestGetRefusesAWrongSum(t *testing.T) {
	c, content := sample()
	content["two.txt"] = "X  \nX  \n"
	url, _ := serve(t, content)
	dir := t.TempDir()
	put(t, dir, "two.txt", "old")

	err := c.Get(t.Context(), url, dir, nil)
	assert.ErrorContains(t, err, "two.txt from "+url+"/two.txt is not the expected file: SHA-256 is "+
		sum([]byte("X  \nX  \n"))+", expected "+c.Files[1].SHA256+"; nothing was written for it, try again")
	assert.Equal(t, []string{"one.txt", "two.txt"}, files(t, dir), "no partial file is left")
	old, err := os.ReadFile(filepath.Join(dir, "two.txt"))
	require.NoError(t, err)
	assert.Equal(t, "old", string(old))
}

func TestGetRefusesAnEndlessTransfer(t *testing.T) {
	c, _ := sample()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	err := c.Get(t.Context(), server.URL, t.TempDir(), nil)
	assert.ErrorContains(t, err, "is not the expected file: it has more than 1048576 bytes")
}

func TestGetWithoutNetwork(t *testing.T) {
	c, content := sample()
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
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
	c, content := sample()
	url, _ := serve(t, content)
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
