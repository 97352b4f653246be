package ogb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkFeaturesOf reads rows of 100 features that are stored in either way; bytes are those of float32.
func BenchmarkFeaturesOf(b *testing.B) {
	const nodes, features = 10_000, 100
	full := &Graph{Features: features, X: make([]float32, nodes*features)}
	for i := range full.X {
		full.X[i] = float32(i%2_000-1_000) / 500
	}
	halved, err := appendHalves(nil, full.X)
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
