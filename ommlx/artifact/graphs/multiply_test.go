package graphs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesAreMultipliedColumnByColumn compares products with plain sums over edges.
func TestTablesAreMultipliedColumnByColumn(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 4))
	var ends []uint32
	for range 2_000 {
		ends = append(ends, rng.Uint32N(n-1), rng.Uint32N(n/2)*rng.Uint32N(2)) // the last node has no edge
	}
	a := FromEdges(n, ends)
	ones := a.power(0)
	matrices := map[string]Normalised{"symmetric": a.Symmetric(), "walk": a.Walk(), "adjacency": {a, ones, ones}}
	weight := map[string]func(i, j int) float64{
		"symmetric": func(i, j int) float64 { return 1 / math.Sqrt(float64(a.Degree(i))*float64(a.Degree(j))) },
		"walk":      func(i, _ int) float64 { return 1 / float64(a.Degree(i)) },
		"adjacency": func(_, _ int) float64 { return 1 },
	}
	for _, columns := range []int{1, 2, 5, 8, 16, 47, 48, 70} {
		x, single := make([]float64, n*columns), make([]float32, n*columns)
		for i := range x {
			x[i] = rng.NormFloat64()
			single[i] = float32(x[i])
		}
		for name, m := range matrices {
			y, ySingle := make([]float64, n*columns), make([]float32, n*columns)
			Multiply(m, y, x, columns)
			Multiply(m, ySingle, single, columns)
			for i := range n {
				for c := range columns {
					want := 0.0
					for _, j := range a.Row(i) {
						want += weight[name](i, int(j)) * x[int(j)*columns+c]
					}
					require.InDelta(t, want, y[i*columns+c], 1e-13, fmt.Sprint(name, i))
					require.InDelta(t, want, ySingle[i*columns+c], 1e-4)
				}
			}
		}
		require.Panics(t, func() { Multiply(a.Walk(), x, x[1:], columns) })
		require.Panics(t, func() { Multiply(a.Walk(), x, x, 0) })
	}
}

func TestFromEdgesOmitsLoopsAndRepeatedEdges(t *testing.T) {
	a := FromEdges(4, []uint32{0, 1, 1, 1, 1, 0, 3, 0, 0, 1})
	require.Equal(t, Adjacency{[]uint64{0, 2, 3, 3, 4}, []uint32{1, 3, 0, 0}}, a)
	require.Equal(t, [3]int{4, 2, 0}, [3]int{a.Nodes(), a.Edges(), a.Degree(2)})
	require.Panics(t, func() { FromEdges(4, []uint32{0, 4}) })
}
