package ogb

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkFeatures reads a text file of features as a conversion does, and as package encoding/csv does; bytes are of
// the text, without compression.
func BenchmarkFeatures(b *testing.B) {
	dir := b.TempDir()
	require.NoError(b, Generation{Nodes: 20_000, Degree: 1, Seed: 1}.Generate(context.Background(), dir, nil))
	path := filepath.Join(dir, featuresText)
	text := func() io.Reader {
		packed, err := os.Open(path)
		require.NoError(b, err)
		b.Cleanup(func() { packed.Close() })
		unpacked, err := gzip.NewReader(packed)
		require.NoError(b, err)
		return unpacked
	}
	bytes, err := io.Copy(io.Discard, text())
	require.NoError(b, err)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			numbers := 0
			require.NoError(b, scan(context.Background(), path, nil, func(b block) ([]float32, error) {
				x, _, err := rows(b)
				return x, err
			}, func(x []float32) error {
				numbers += len(x)
				return nil
			}))
			require.Equal(b, 20_000*100, numbers)
		}
	})
	b.Run("csv", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			var x []float32
			in := csv.NewReader(text())
			in.ReuseRecord = true
			for {
				row, err := in.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(b, err)
				for _, cell := range row {
					v, err := strconv.ParseFloat(cell, 32)
					require.NoError(b, err)
					x = append(x, float32(v))
				}
			}
			require.Len(b, x, 20_000*100)
		}
	})
}

// BenchmarkFeaturesOf reads rows of 100 features that are stored in either way; bytes are those of float32.
func BenchmarkFeaturesOf(b *testing.B) {
	const nodes, features = 10_000, 100
	full := &Graph{Features: features, X: make([]float32, nodes*features)}
	for i := range full.X {
		full.X[i] = float32(i%2_000-1_000) / 500
	}
	halved, err := halves(full.X, features, "", 1)
	require.NoError(b, err)
	for name, g := range map[string]*Graph{"float32": full, "float16": {Features: features, Half: halved}} {
		b.Run(name, func(b *testing.B) {
			row := make([]float32, features)
			b.SetBytes(4 * nodes * features)
			for b.Loop() {
				for i := range nodes {
					g.FeaturesOf(i, row)
				}
			}
		})
	}
}
