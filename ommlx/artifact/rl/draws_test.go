package rl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/testkit"
)

const draws = 200_000

// Each run samples the empirical pair law of its episodes. Their states count up, so a pair determines time and lag.
func TestSampledPairs(t *testing.T) {
	const runs, count, length = 2, 3, 10
	const states = count * (length + 1)
	episodes := xslices.Iota(int32(0), runs*states)
	for _, gamma := range []float64{0, 0.5, 0.9, 0.99} {
		out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			from, to := SamplePairs(in[0], in[1], gamma)
			return []*Node{from, to}
		}).Numbers(t, tensors.FromFlatDataAndDimensions(episodes, runs, count, length+1),
			uniform(rand.New(rand.NewPCG(5, 6)), runs, draws, 3))
		for r := range runs {
			own := &gridworld.Episodes{N: runs * states, Count: count, Length: length,
				States: episodes[r*states : (r+1)*states]}
			counts := make([]float64, own.N*own.N)
			for b := r * draws; b < (r+1)*draws; b++ {
				counts[int(out[0][b])*own.N+int(out[1][b])]++
			}
			law := own.PairMatrix(gamma)
			testkit.RequireLaw(t, law.RawMatrix().Data, counts, fmt.Sprintf("pairs of run %d, γ = %v", r, gamma))
		}
	}
}

// The smallest and largest random numbers stay inside the episode.
func TestPairsAtTheEndsOfTheUniformLaw(t *testing.T) {
	const length = 50
	episode := xslices.Iota(int32(0), 2*(length+1))
	below := math.Nextafter32(1, 0)
	var u []float32
	for i := range length {
		at := (float32(i) + 0.5) / length
		u = append(u, 0, at, 0, below, at, below)
	}
	u = append(u, 0, 0, below, below, below, below)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		from, to := SamplePairs(in[0], in[1], 0.9)
		return []*Node{from, to}
	}).Numbers(t, tensors.FromFlatDataAndDimensions(episode, 1, 2, length+1),
		tensors.FromFlatDataAndDimensions(u, 1, len(u)/3, 3))
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

// All L+1 states of every episode are equally likely.
func TestSampleStates(t *testing.T) {
	const runs, count, length = 2, 4, 5
	const n = count * (length + 1)
	episodes := xslices.Iota(int32(0), runs*n)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		return []*Node{SampleStates(in[0], in[1])}
	}).Numbers(t, tensors.FromFlatDataAndDimensions(episodes, runs, count, length+1),
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

// uniform returns a float32 tensor with entries uniform in [0, 1).
func uniform(rng *rand.Rand, dims ...int) *tensors.Tensor {
	flat := make([]float32, shapes.Make(dtypes.Float32, dims...).Size())
	for i := range flat {
		flat[i] = rng.Float32()
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...)
}
