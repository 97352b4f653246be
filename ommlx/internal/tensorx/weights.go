package tensorx

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Weight is a parameter or a running statistic of a network: its shape without the axis of runs, and the distribution
// of its initial entries.
type Weight struct {
	Shape []int
	Start func(*rand.Rand) float64
}

// Draw returns initial values of weights for len(seeds) runs, each [R, shape…] in float32. Run r depends only on
// seeds[r] and on stream, which differs between types of networks.
func Draw(weights []Weight, seeds []int64, stream uint64) []*tensors.Tensor {
	flat := make([][]float32, len(weights))
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), stream))
		for i, w := range weights {
			for range shapes.Make(dtypes.Float32, w.Shape...).Size() {
				flat[i] = append(flat[i], float32(w.Start(rng)))
			}
		}
	}
	all := make([]*tensors.Tensor, len(weights))
	for i, w := range weights {
		all[i] = tensors.FromFlatDataAndDimensions(flat[i], append([]int{len(seeds)}, w.Shape...)...)
	}
	return all
}

// Constant is a weight that starts as c everywhere.
func Constant(c float64, shape ...int) Weight {
	return Weight{shape, func(*rand.Rand) float64 { return c }}
}

// Normal is a weight with normal initial entries of mean 0 and the given standard deviation.
func Normal(std float64, shape ...int) Weight {
	return Weight{shape, func(rng *rand.Rand) float64 { return std * rng.NormFloat64() }}
}

// Truncated is [Normal], truncated at two standard deviations by rejection.
func Truncated(std float64, shape ...int) Weight {
	return Weight{shape, func(rng *rand.Rand) float64 {
		for {
			if z := rng.NormFloat64(); math.Abs(z) <= 2 {
				return std * z
			}
		}
	}}
}

// Uniform is a weight with uniform initial entries in [−bound, bound).
func Uniform(bound float64, shape ...int) Weight {
	return Weight{shape, func(rng *rand.Rand) float64 { return bound * (2*rng.Float64() - 1) }}
}
