package dataset

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
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
		content := testkit.Must(os.ReadFile(written[0]))
		require.Equal(t, string(want), string(content))
	})
}
