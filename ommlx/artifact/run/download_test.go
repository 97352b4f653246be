package run

import (
	"bytes"
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

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/testkit"
)

// A file appears in its folder only if it is the expected one, and is downloaded only once.
func TestDownload(t *testing.T) {
	data := t.TempDir()
	t.Setenv(DataVariable, data)
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	content, status, asked := "content", http.StatusOK, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.WriteHeader(status)
		_, _ = w.Write([]byte(content))
	}))
	defer server.Close()
	f := File{Kind: "kind", URL: "https://nowhere.invalid/a/file", SHA256: fsx.SHA256Of([]byte("content")), Most: 7}
	path := filepath.Join(data, "kind", "file")
	got, err := f.Find()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, path, got)
	for _, bad := range []struct {
		content string
		status  int
	}{{"changed", 200}, {"content and more", 200}, {"", 200}, {"content", 404}} {
		content, status = bad.content, bad.status
		_, err := f.Get(t.Context(), server.URL, io.Discard)
		require.ErrorContains(t, err, server.URL)
		require.Empty(t, testkit.Must(os.ReadDir(filepath.Dir(path))))
	}
	content, status, asked = "content", 200, 0
	for range 2 {
		require.Equal(t, path, testkit.Must(f.Get(t.Context(), server.URL, io.Discard)))
	}
	require.Equal(t, 1, asked)
	require.Equal(t, path, testkit.Must(f.Find()))
	require.NoError(t, os.WriteFile(path, []byte("changed"), 0o644))
	_, err = f.Find()
	require.ErrorContains(t, err, path)
	require.NotErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, path, testkit.Must(f.Get(t.Context(), server.URL, io.Discard)), "an altered file is replaced")
}

// A file is in the folder of the data, or else in the cache.
func TestFileIsInItsFolder(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	t.Setenv(fsx.CacheVariable, cache)
	f := File{Kind: "kind", URL: "https://nowhere.invalid/file"}
	for variable, root := range map[string]string{"": cache, data: data} {
		t.Setenv(DataVariable, variable)
		file, err := f.Find()
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.Equal(t, filepath.Join(root, "kind", "file"), file)
	}
	t.Setenv(DataVariable, "relative")
	_, err := f.Find()
	require.ErrorContains(t, err, DataVariable)
}

// A log shows the time left after some seconds, and none for an unknown size.
func TestMeter(t *testing.T) {
	for total, want := range map[int64]string{100: " 16% a file  left 1m19s\n", -1: "100% a file\n"} {
		var out bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			m := &meter{Line: say.Line{W: &out}, what: "a file", total: total, began: time.Now()}
			for range 20 {
				testkit.Must(m.Write([]byte{0}))
				time.Sleep(time.Second)
			}
		})
		line, _, _ := strings.Cut(out.String(), "\n")
		require.Equal(t, want, line+"\n")
	}
}
