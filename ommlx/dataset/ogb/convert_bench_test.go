package ogb

import (
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/stopwatch"
)

// BenchmarkConvert: text files of a graph of 10,000 nodes, 250,000 edges and 100 features to arrays beside unpacking
// them alone, on one core.
func BenchmarkConvert(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dir := b.TempDir()
	g := Generation{Nodes: 10_000}.WithDefaults()
	require.NoError(b, g.Generate(b.Context(), dir, nil))
	to := filepath.Join(dir, "graph")
	stopwatch.Beside(b, stopwatch.Repeated(1, func() error {
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		return Conversion{From: dir, To: to, Name: GeneratedName, Split: Split, Classes: g.Classes}.Convert(b.Context())
	}), stopwatch.Repeated(1, func() error {
		return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".gz" {
				return err
			}
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			text, err := gzip.NewReader(file)
			if err == nil {
				_, err = io.Copy(io.Discard, text)
			}
			return err
		})
	}))
}
