package train

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// vector returns n zeros of a type.
func vector(dtype dtypes.DType, n int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(dtype, n))
}

// noLoss stands for the last loss of runs that have taken no step.
func noLoss(dtype dtypes.DType, runs int) *tensors.Tensor {
	if dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(slices.Repeat([]float64{math.NaN()}, runs), runs)
	}
	return tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{float32(math.NaN())}, runs), runs)
}

func ints(t *tensors.Tensor) []int {
	var out []int
	for _, x := range tensors.MustCopyFlatData[int32](t) {
		out = append(out, int(x))
	}
	return out
}
