package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesAreMultipliedColumnByColumn compares products with plain sums over edges, in both precisions, for numbers
// of columns that fill cache lines or do not.
func TestTablesAreMultipliedColumnByColumn(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 4))
	a := graphOf(t, n, func(join func(u, v int)) {
		for range 2_000 {
			join(rng.IntN(n), rng.IntN(n/2)*rng.IntN(2))
		}
	})
	matrices := map[string]Matrix{"symmetric": a.Symmetric(), "walk": a.Walk(), "adjacency": {Adjacency: a}}
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

// TestPrefetchedEntriesAreInOrder: each entry except the first few is prefetched once, even after a node of high
// degree.
func TestPrefetchedEntriesAreInOrder(t *testing.T) {
	const n = 2_000
	a := graphOf(t, n, func(join func(u, v int)) {
		for i := 1; i < n; i++ {
			join(i, i-1)
			if i > 700 && i < 1_200 {
				join(700, i)
			}
		}
	})
	var asked []uint32
	for i := range n {
		asked = append(asked, a.soon(i)...)
	}
	require.Greater(t, len(a.Row(700)), 450)
	require.Equal(t, a.Neighbours[len(a.Neighbours)-len(asked):], asked)
	require.Less(t, len(a.Neighbours)-len(asked), 100)
	star := Adjacency{Offsets: []uint64{0, 1e4, 1e4}, Neighbours: make([]uint32, 1e4)}
	require.NotEmpty(t, star.soon(0))
	require.Less(t, len(star.soon(0)), 1_000)
	require.Empty(t, star.soon(1))
}

// TestSIMDSumsEqualPlainSums, since every column is summed in the same order.
func TestSIMDSumsEqualPlainSums(t *testing.T) {
	requireAlike[float32](t)
	requireAlike[float64](t)
}

func requireAlike[T float32 | float64](t *testing.T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	for lines := 1; lines <= 7; lines++ {
		width := lines * line[T]()
		x := make([]T, 20*width)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		for _, rows := range [][]uint32{nil, {7}, {19, 0, 3, 3, 12}} {
			want, got := make([]T, width), make([]T, width)
			got[0] = 1 // goes away
			addUp(want, x, rows)
			adder[T]()(got, x, rows)
			require.Equal(t, want, got)
			sum := T(0)
			for _, j := range rows {
				sum += x[(int(j)+1)*width-1]
			}
			require.Equal(t, sum, want[width-1])
		}
	}
}
