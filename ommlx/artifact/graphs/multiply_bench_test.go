package graphs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"omm-go/ommlx/internal/testkit"
)

// BenchmarkMultiply compares, on one core, the normalised adjacency of a graph times a table of 47 columns with a copy
// of as many bytes as the product reads and writes without a cache.
func BenchmarkMultiply(b *testing.B) {
	const columns, degree = 47, 50
	for _, nodes := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			rng, ends := rand.New(rand.NewPCG(1, 2)), make([]uint32, nodes*degree)
			for i := range ends {
				ends[i] = rng.Uint32N(uint32(nodes))
			}
			a := FromEdges(nodes, ends)
			m, src, dst := a.Symmetric(), make([]float32, nodes*columns), make([]float32, nodes*columns)
			bytes := 2*a.Edges()*(4+4*columns) + nodes*(8+2*8+4*columns)
			from, to := make([]byte, bytes/2), make([]byte, bytes/2)
			for i := range from { // write the memory, or the system does not allocate it
				from[i] = byte(i)
			}
			testkit.Compare(b, func() error {
				Multiply(m, dst, src, columns)
				return nil
			}, func() error {
				copy(to, from)
				return nil
			})
		})
	}
}
