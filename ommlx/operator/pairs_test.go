package operator_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/operator"
)

const draws = 200_000

// pairs samples draws pairs for each run of episodes [R, E, L+1].
func pairs(t *testing.T, episodes []int32, runs, count, length int, gamma float64) (from, to []float64) {
	t.Helper()
	u := uniform(rand.New(rand.NewPCG(5, 6)), runs, draws, 3)
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		from, to := operator.SamplePairs(in[0], in[1], gamma)
		return []*Node{from, to}
	}, tensors.FromFlatDataAndDimensions(episodes, runs, count, length+1), u)
	return out[0], out[1]
}

// TestSampledLags: in episodes whose states count up, the lag and the time of every pair can be read off.
func TestSampledLags(t *testing.T) {
	const count, length = 3, 10
	var episodes []int32
	for e := range count {
		for s := range length + 1 {
			episodes = append(episodes, int32(100*e+s))
		}
	}
	for _, gamma := range []float64{0, 0.5, 0.9, 0.99} {
		from, to := pairs(t, episodes, 1, count, length, gamma)
		lags, times := make([]float64, length), make([]float64, count*length)
		for b := range from {
			lag := int(to[b] - from[b])
			require.True(t, lag >= 1 && lag <= length && math.Floor(from[b]/100) == math.Floor(to[b]/100),
				"the pair %g, %g leaves its episode", from[b], to[b])
			lags[lag-1]++
			times[int(from[b])/100*length+int(from[b])%100]++
		}
		law := testkit.Must(gridworld.LagWeights(gamma, length))
		if gamma == 0 {
			assert.Equal(t, float64(draws), lags[0])
		} else {
			testkit.RequireLaw(t, law, lags, "lags")
		}
		testkit.RequireLaw(t, slices.Repeat([]float64{1 / float64(len(times))}, len(times)), times, "times")
	}
}

// TestSampledPairs: each run samples the empirical pair law of its own episodes.
func TestSampledPairs(t *testing.T) {
	grid := testkit.Must(gridworld.Load("GridRoom-4"))
	const gamma, length, runs = 0.9, 6, 2
	var episodes []int32
	var laws [][]float64
	count := 0
	for seed := range int64(runs) {
		e := testkit.Must(gridworld.Collect(grid, 60, length, seed))
		law := testkit.Must(e.PairMatrix(gamma))
		episodes, count = append(episodes, e.States...), e.Count
		laws = append(laws, law.RawMatrix().Data)
	}
	from, to := pairs(t, episodes, runs, count, length, gamma)
	for r, law := range laws {
		counts := make([]float64, len(law))
		for b := r * draws; b < (r+1)*draws; b++ {
			counts[int(from[b])*grid.N()+int(to[b])]++
		}
		testkit.RequireLaw(t, law, counts, "pairs")
	}
}

// TestPairsAtTheEndsOfTheUniformLaw: the smallest and largest random numbers stay inside the episode.
func TestPairsAtTheEndsOfTheUniformLaw(t *testing.T) {
	const length = 50
	episode := make([]int32, 2*(length+1))
	for i := range episode {
		episode[i] = int32(i)
	}
	below := math.Nextafter32(1, 0)
	var u []float32
	for i := range length {
		at := (float32(i) + 0.5) / length
		u = append(u, 0, at, 0, below, at, below)
	}
	u = append(u, 0, 0, below, below, below, below)
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		from, to := operator.SamplePairs(in[0], in[1], 0.9)
		return []*Node{from, to}
	}, tensors.FromFlatDataAndDimensions(episode, 1, 2, length+1), tensors.FromFlatDataAndDimensions(u, 1, len(u)/3, 3))
	for b, from := range out[0] {
		end := float64(length)
		if u[3*b] > 0 {
			end = 2*length + 1
		}
		if u[3*b+2] == 0 {
			assert.Equal(t, from+1, out[1][b], "the shortest lag")
		} else {
			assert.Equal(t, end, out[1][b], "the longest lag")
		}
	}
}

// TestSampleStates: all L+1 states of every episode are equally likely, the last one included.
func TestSampleStates(t *testing.T) {
	const runs, count, length = 2, 4, 5
	const n = count * (length + 1)
	episodes := make([]int32, runs*n)
	for i := range episodes {
		episodes[i] = int32(i)
	}
	out := graphtest.Evaluate(t, func(in []*Node) []*Node { return []*Node{operator.SampleStates(in[0], in[1])} },
		tensors.FromFlatDataAndDimensions(episodes, runs, count, length+1),
		uniform(rand.New(rand.NewPCG(7, 8)), runs, draws, 2))
	law := slices.Repeat([]float64{1.0 / n}, n)
	for r := range runs {
		counts := make([]float64, n)
		for _, s := range out[0][r*draws : (r+1)*draws] {
			require.True(t, int(s)/n == r, "run %d sampled state %g of another run", r, s)
			counts[int(s)-r*n]++
		}
		testkit.RequireLaw(t, law, counts, "states")
	}
}

// TestDiscountsThatAreNone: with γ = 1 the lag would be 0/0, and other pairs than asked for.
func TestDiscountsThatAreNone(t *testing.T) {
	episode := tensors.FromFlatDataAndDimensions([]int32{0, 1}, 1, 1, 2)
	for _, gamma := range []float64{-0.1, 1, 1.5, math.NaN()} {
		_, err := graphtest.Compiled(t, func(in []*Node) []*Node {
			from, to := operator.SamplePairs(in[0], in[1], gamma)
			return []*Node{from, to}
		}).Call(episode, uniform(rand.New(rand.NewPCG(5, 6)), 1, 4, 3))
		assert.ErrorContains(t, err, "must be at least 0 and below 1", "%v", gamma)
	}
}

func uniform(rng *rand.Rand, dims ...int) *tensors.Tensor {
	size := 1
	for _, d := range dims {
		size *= d
	}
	x := make([]float32, size)
	for i := range x {
		x[i] = rng.Float32()
	}
	return tensors.FromFlatDataAndDimensions(x, dims...)
}
