package train

import (
	"fmt"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shuffled is the whole order of an epoch.
func shuffled(samples int, seed int64, epoch int) []int {
	all, order := make([]int, samples), Shuffle{samples}.epoch(seed, epoch)
	for position := range all {
		all[position] = order.index(position)
	}
	return all
}

// TestShuffleIsAPermutation for every number of samples, also 1, primes, and powers of two and their neighbours.
func TestShuffleIsAPermutation(t *testing.T) {
	sizes := []int{1009, 1024, 4095, 4097, 50_000}
	for n := 1; n <= 130; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for epoch := range 3 {
			seen := make([]bool, n)
			for _, sample := range shuffled(n, 7, epoch) {
				require.False(t, seen[sample], "sample %d of %d comes twice in epoch %d", sample, n, epoch)
				seen[sample] = true
			}
		}
	}
	last := Shuffle{math.MaxInt32}.epoch(1, 2).index(math.MaxInt32 - 1)
	assert.True(t, last >= 0 && last < math.MaxInt32)
}

// TestShuffleOnTheDevice is that of the host, for each run's own seed and epoch.
func TestShuffleOnTheDevice(t *testing.T) {
	t.Parallel()
	seeds, epochs := []int64{3, -1, math.MinInt64}, []int32{0, 1, 1 << 20}
	sizes := []int{1, 2, 97, 50_000, math.MaxInt32}
	positions := make([][][]int32, len(sizes)) // of each size, the same for all seeds
	for s, n := range sizes {
		row := make([]int32, 40)
		for i := range row {
			row[i] = int32(i * (n - 1) / (len(row) - 1))
		}
		positions[s] = slices.Repeat([][]int32{row}, len(seeds))
	}
	for _, o := range []Options{here(t), pureGo(t)} {
		got, err := ExecOnce(o.Backend, func(epochs, positions *Node) *Node {
			var all []*Node
			for s, n := range sizes {
				all = append(all, Shuffle{n}.indices(seeds, epochs, Squeeze(Slice(positions, AxisElem(s)), 0)))
			}
			return Stack(all, 0)
		}, epochs, positions)
		require.NoError(t, err)
		for s, rows := range got.Value().([][][]int32) {
			for r, row := range rows {
				order := Shuffle{sizes[s]}.epoch(seeds[r], int(epochs[r]))
				for i, sample := range row {
					want := order.index(int(positions[s][r][i]))
					require.Equal(t, want, int(sample), "%d samples on %s", sizes[s], o.Backend.Name())
				}
			}
		}
	}
}

// chiSquare is Pearson's statistic of counts that are to be equal, in standard deviations from its mean: with as many
// degrees of freedom as here it is nearly normal.
func chiSquare(counts []int, freedom int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		sum += (float64(c) - expected) * (float64(c) - expected) / expected
	}
	return (sum - float64(freedom)) / math.Sqrt(2*float64(freedom))
}

// TestShuffleIsUniform over many epochs: where a sample comes, which two samples come at two positions, beside each
// other or not, and each of the 120 orders of five samples.
func TestShuffleIsUniform(t *testing.T) {
	const epochs, n = 40_000, 23
	where := make([]int, n*n)
	pairs := map[[2]int][]int{{4, 5}: make([]int, n*n), {4, 17}: make([]int, n*n)}
	for epoch := range epochs {
		order := shuffled(n, 1, epoch)
		for position, sample := range order {
			where[position*n+sample]++
		}
		for at, counts := range pairs {
			counts[order[at[0]]*n+order[at[1]]]++
		}
	}
	assert.Less(t, math.Abs(chiSquare(where, (n-1)*(n-1))), 5.0, "sample at each position")
	for at, counts := range pairs {
		var apart []int
		for i, c := range counts {
			if i/n != i%n {
				apart = append(apart, c)
			}
		}
		assert.Less(t, math.Abs(chiSquare(apart, n*(n-1)-1)), 5.0, "samples at the positions %v", at)
	}
	orders := make(map[string]int)
	for seed := range int64(epochs) { // seeds beside each other are as good as epochs
		orders[fmt.Sprint(shuffled(5, seed, 3))]++
	}
	require.Len(t, orders, 120)
	var counts []int
	for _, c := range orders {
		counts = append(counts, c)
	}
	assert.Less(t, math.Abs(chiSquare(counts, len(counts)-1)), 5.0, "orders of five samples")
}

// TestShuffleDiffers between epochs and between seeds as independent permutations do: the number of samples at the same
// position is Poisson with mean 1.
func TestShuffleDiffers(t *testing.T) {
	const n, times = 1000, 400
	for name, pair := range map[string]func(i int) (a, b []int){
		"epochs": func(i int) (a, b []int) { return shuffled(n, 5, i), shuffled(n, 5, i+1) },
		"seeds":  func(i int) (a, b []int) { return shuffled(n, int64(i), 5), shuffled(n, int64(i)+1, 5) },
	} {
		same := 0
		for i := range times {
			a, b := pair(i)
			for position := range a {
				if a[position] == b[position] {
					same++
				}
			}
		}
		assert.InDelta(t, times, same, 5*math.Sqrt(times), name)
	}
}

func TestShuffleWrongUse(t *testing.T) {
	require.EqualError(t, Shuffle{}.Validate(), "shuffle: there are 0 samples; it must be from 1 to 2147483647")
	require.ErrorContains(t, Shuffle{math.MaxInt32 + 1}.Validate(), "there are 2147483648 samples")
}
