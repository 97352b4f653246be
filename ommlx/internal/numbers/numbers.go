// Package numbers reads tensors.
package numbers

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Of returns the numbers of a tensor of float64, float32 or int32, row by row, which the caller may change. It panics
// with the name of any other type.
func Of(x *tensors.Tensor) []float64 {
	switch x.DType() {
	case dtypes.Float64:
		return tensors.MustCopyFlatData[float64](x)
	case dtypes.Int32:
		return converted(tensors.MustCopyFlatData[int32](x))
	}
	return converted(tensors.MustCopyFlatData[float32](x))
}

func converted[T int32 | float32](flat []T) []float64 {
	all := make([]float64, len(flat))
	for i, v := range flat {
		all[i] = float64(v)
	}
	return all
}
