package notebook

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/artifact/rl/gridworld"
)

// ExactPairs draws a batch of pairs with lags of discount gamma from episodes and returns the first k exact
// eigenfunctions at both ends, [1, batch, k] each. Their mean square over all states is 1.
func ExactPairs(w *gridworld.World, k int, episodes *gridworld.Episodes, gamma float64, batch int,
	rng *rand.Rand) (f, next *tensors.Tensor) {
	from, to := make([]int32, batch), make([]int32, batch)
	episodes.SamplePairs(rng, gamma, from, to)
	at := func(states []int32) *tensors.Tensor {
		flat := make([]float32, 0, k*batch)
		for _, s := range states {
			for i := range k {
				flat = append(flat, float32(w.Truth.Vectors.At(int(s), i)*math.Sqrt(float64(w.Grid.N()))))
			}
		}
		return tensors.FromFlatDataAndDimensions(flat, 1, batch, k)
	}
	return at(from), at(to)
}
