package representation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// visits is a training that only counts how often it has seen each sample, in its state [R, N].
func visits(m Minibatches, seeds ...int64) train.Problem {
	ones := tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{1}, len(seeds)), len(seeds))
	counts := tensors.FromFlatDataAndDimensions(make([]float32, len(seeds)*m.Samples), len(seeds), m.Samples)
	return train.Problem{
		Seeds: seeds, Params: []*tensors.Tensor{ones}, State: append(m.Start(seeds), counts),
		Loss: func(in train.Inputs) (*Node, []*Node) {
			samples, next := m.Take(seeds, in.State[:2])
			seen := ReduceSum(OneHot(samples, m.Samples, dtypes.Float32), 1)
			return Square(in.Params[0]), append(next, Add(in.State[2], seen))
		},
	}
}

// TestMinibatches: epochs in a training visit the samples that the host computes (see TestShuffleIsAPermutation), all
// of them if they fill whole batches.
func TestMinibatches(t *testing.T) {
	t.Parallel()
	const epochs = 3
	for _, m := range []Minibatches{{71, 12}, {60, 12}, {5, 5}, {7, 1}} {
		engines := []compute.Backend{testkit.PureGo(t)}
		if m.Samples == 71 { // XLA compiles it for long; TestShuffleOnTheDevice has other sizes
			engines = append(engines, testkit.Backend(t))
		}
		seeds := []int64{4, 5}
		for _, engine := range engines {
			result := testkit.Must(train.Run(t.Context(), visits(m, seeds...),
				train.Config{Steps: epochs * m.PerEpoch()}, train.Options{Backend: engine}))
			counts := tensorx.Numbers(result.State[2])
			for r, seed := range seeds {
				want := make([]float64, m.Samples)
				for step := range epochs * m.PerEpoch() {
					for _, sample := range m.of(seed, step) {
						want[sample]++
					}
				}
				require.Equal(t, want, counts[r*m.Samples:(r+1)*m.Samples], "%+v on %s", m, engine.Name())
				if m.Samples%m.Batch == 0 {
					require.Equal(t, slices.Repeat([]float64{epochs}, m.Samples), want)
				}
			}
		}
	}
}

func TestMinibatchesValidate(t *testing.T) {
	require.NoError(t, Minibatches{9, 9}.Validate())
	for _, m := range []Minibatches{{}, {9, 0}, {9, 10}, {math.MaxInt32 + 1, 10}} {
		require.Error(t, m.Validate(), m)
	}
}

// shuffled returns the whole order of an epoch.
func shuffled(samples int, seed int64, epoch int) []int {
	return xslices.Map(xslices.Iota(0, samples), Minibatches{Samples: samples}.epoch(seed, epoch))
}

// TestShuffleIsAPermutation for sample counts such as 1, primes, and powers of two and their neighbours.
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
	last := Minibatches{Samples: math.MaxInt32}.epoch(1, 2)(math.MaxInt32 - 1)
	assert.True(t, last >= 0 && last < math.MaxInt32)
}

// TestShuffleOnTheDevice compares it with the one on the host, for the seed and epoch of each run.
func TestShuffleOnTheDevice(t *testing.T) {
	t.Parallel()
	seeds, epochs := []int64{3, -1, math.MinInt64}, []int32{0, 1, 1 << 20}
	sizes := []int{1, 97, math.MaxInt32}
	positions := make([][][]int32, len(sizes)) // of each size, the same for all seeds
	for s, n := range sizes {
		row := make([]int32, 40)
		for i := range row {
			row[i] = int32(i * (n - 1) / (len(row) - 1))
		}
		positions[s] = slices.Repeat([][]int32{row}, len(seeds))
	}
	for _, engine := range []compute.Backend{testkit.Backend(t), testkit.PureGo(t)} {
		got := testkit.Must(ExecOnce(engine, func(epochs, positions *Node) *Node {
			var all []*Node
			for s, n := range sizes {
				of := Squeeze(Slice(positions, AxisElem(s)), 0)
				all = append(all, Minibatches{Samples: n}.indices(seeds, epochs, of))
			}
			return Stack(all, 0)
		}, epochs, positions))
		for s, rows := range got.Value().([][][]int32) {
			for r, row := range rows {
				order := Minibatches{Samples: sizes[s]}.epoch(seeds[r], int(epochs[r]))
				for i, sample := range row {
					want := order(int(positions[s][r][i]))
					require.Equal(t, want, int(sample), "%d samples on %s", sizes[s], engine.Name())
				}
			}
		}
	}
}

// TestShuffleIsUniform over many epochs: the position of a sample, the two samples at two positions, adjacent or not,
// and the 120 orders of five samples.
func TestShuffleIsUniform(t *testing.T) {
	const epochs, n = 40_000, 23
	where := make([]float64, n*n)
	pairs := map[[2]int][]float64{{4, 5}: make([]float64, n*n), {4, 17}: make([]float64, n*n)}
	for epoch := range epochs {
		order := shuffled(n, 1, epoch)
		for position, sample := range order {
			where[position*n+sample]++
		}
		for at, counts := range pairs {
			counts[order[at[0]]*n+order[at[1]]]++
		}
	}
	for position := range n {
		testkit.RequireLaw(t, slices.Repeat([]float64{1. / n}, n), where[position*n:(position+1)*n], "samples")
	}
	apart := make([]float64, n*n)
	for i := range apart {
		if i/n != i%n {
			apart[i] = 1. / (n * (n - 1))
		}
	}
	for at, counts := range pairs {
		testkit.RequireLaw(t, apart, counts, fmt.Sprint("samples at the positions ", at))
	}
	orders := make(map[string]float64)
	for seed := range int64(epochs) { // adjacent seeds are as independent as epochs
		orders[fmt.Sprint(shuffled(5, seed, 3))]++
	}
	require.Len(t, orders, 120)
	testkit.RequireLaw(t, slices.Repeat([]float64{1. / 120}, 120), slices.Collect(maps.Values(orders)),
		"orders of five samples")
}
