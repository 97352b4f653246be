package operator_test

import (
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
)

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
