package representation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// orders returns the samples at positions of epochs, [R, B], with seeds[r] and epochs[r] for run r.
func orders(t *testing.T, b compute.Backend, m Minibatches, seeds []int64, epochs, positions []int32) testkit.Array {
	t.Helper()
	return testkit.CompileFor(t, b, func(in []*Node) []*Node {
		return []*Node{m.indices(seeds, in[0], BroadcastPrefix(in[1], len(seeds)))}
	}).Call(t, epochs, positions)[0]
}

// whole returns all positions of an epoch.
func whole(m Minibatches) []int32 { return xslices.Iota(int32(0), m.Samples) }

// taken returns the samples of the first steps of a training, [R, B] each.
func taken(t *testing.T, m Minibatches, seeds []int64, steps int) (all []testkit.Array) {
	t.Helper()
	state := m.Start(seeds)
	take := testkit.Compile(t, func(in []*Node) []*Node {
		samples, next := m.Take(seeds, in)
		return append(next, samples)
	})
	for range steps {
		out := testkit.Must(take.Try(state))
		state, all = out[:2], append(all, testkit.FromTensor(out[2]))
	}
	return all
}

// Every epoch takes its batches from its own order, without the last, incomplete one.
func TestMinibatches(t *testing.T) {
	const epochs = 3
	seeds := []int64{4, 5}
	for _, m := range []Minibatches{{71, 12}, {60, 12}, {5, 5}, {7, 1}} {
		steps := taken(t, m, seeds, epochs*m.PerEpoch())
		for epoch := range epochs {
			want := orders(t, testkit.PureGo(t), m, seeds, slices.Repeat([]int32{int32(epoch)}, 2), whole(m))
			for step := range m.PerEpoch() {
				for r := range seeds {
					require.Equal(t, want.Run(r).Data[step*m.Batch:(step+1)*m.Batch],
						steps[epoch*m.PerEpoch()+step].Run(r).Data, "%+v", m)
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

// TestShuffleIsAPermutation for sample counts such as 1, primes, and powers of two and their neighbours.
func TestShuffleIsAPermutation(t *testing.T) {
	for _, n := range append(xslices.Iota(1, 130), 1009, 1024, 4095, 4097, 50_000) {
		m := Minibatches{Samples: n}
		epochs := orders(t, testkit.PureGo(t), m, []int64{7, 7, 7}, []int32{0, 1, 2}, whole(m))
		for samples := range slices.Chunk(epochs.Data, n) {
			slices.Sort(samples)
			require.Equal(t, xslices.Iota(0., n), samples, "%d samples", n)
		}
	}
}

// The samples of kept trainings are the same on every engine.
func TestOrdersOfKeptTrainings(t *testing.T) {
	seeds, epochs := []int64{3, -1, math.MinInt64}, []int32{0, 1, 1 << 20}
	for n, want := range map[int][]float64{
		4_992: {3413, 2508, 2046, 1722, 3590, 4736, 2088, 1561, 2789, 4617, 4221, 4296},
		math.MaxInt32: {1079940567, 918339579, 1214822872, 1735985097, 1525927270, 1857669167, 1699662422, 1544201342,
			644041631, 588244109, 793989445, 61011990},
	} {
		positions := xslices.Map(xslices.Iota(0, 4), func(i int) int32 { return int32(i * (n - 1) / 3) })
		for _, engine := range []compute.Backend{testkit.Backend(t), testkit.PureGo(t)} {
			got := orders(t, engine, Minibatches{Samples: n}, seeds, epochs, positions)
			require.Equal(t, want, got.Data, "%d samples on %s", n, engine.Name())
		}
	}
}

// TestShuffleIsUniform over many epochs: the position of a sample, the two samples at two positions, adjacent or not,
// and the 120 orders of five samples. Adjacent seeds are as independent as epochs.
func TestShuffleIsUniform(t *testing.T) {
	const epochs, n = 20_000, 23
	m, five := Minibatches{Samples: n}, Minibatches{Samples: 5}
	where := make([]float64, n*n)
	pairs := map[[2]int][]float64{{4, 5}: make([]float64, n*n), {4, 17}: make([]float64, n*n)}
	all := orders(t, testkit.PureGo(t), m, slices.Repeat([]int64{1}, epochs), xslices.Iota(int32(0), epochs), whole(m))
	for order := range slices.Chunk(all.Data, n) {
		for position, sample := range order {
			where[position*n+int(sample)]++
		}
		for at, counts := range pairs {
			counts[int(order[at[0]])*n+int(order[at[1]])]++
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
	counts := make(map[string]float64)
	all = orders(t, testkit.PureGo(t), five, xslices.Iota(int64(0), epochs), slices.Repeat([]int32{3}, epochs),
		whole(five))
	for order := range slices.Chunk(all.Data, 5) {
		counts[fmt.Sprint(order)]++
	}
	require.Len(t, counts, 120)
	testkit.RequireLaw(t, slices.Repeat([]float64{1. / 120}, 120), slices.Collect(maps.Values(counts)),
		"orders of five samples")
}
