// Package tensorx computes with tensors whose leading axis counts independent runs, draws weights, and reads and writes
// safetensors files.
package tensorx

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"
)

// Numbers copies the numbers of a float64, float32 or int32 tensor, row by row. It panics for other types.
func Numbers(x *tensors.Tensor) []float64 {
	switch x.DType() {
	case dtypes.Float64:
		return tensors.MustCopyFlatData[float64](x)
	case dtypes.Int32:
		return xslices.Map(tensors.MustCopyFlatData[int32](x), func(v int32) float64 { return float64(v) })
	}
	return xslices.Map(tensors.MustCopyFlatData[float32](x), func(v float32) float64 { return float64(v) })
}

// Matrices copies a tensor [R, N, k] to R matrices N×k, or [N, k] to one.
func Matrices(x *tensors.Tensor) (all []*mat.Dense) {
	rows, columns := x.Shape().Dim(-2), x.Shape().Dim(-1)
	for numbers := range slices.Chunk(Numbers(x), rows*columns) {
		all = append(all, mat.NewDense(rows, columns, numbers))
	}
	return all
}

// Spread broadcasts one value for each run, [R], to the shape of x, [R, …].
func Spread(value, x *Node) *Node {
	dims := x.Shape().Dimensions
	one := append([]int{dims[0]}, slices.Repeat([]int{1}, len(dims)-1)...)
	return BroadcastToDims(Reshape(value, one...), dims...)
}

// Squares sums the squares of each run, [R, …] → [R]. It is a product, which is vectorised, while a plain sum has a
// fixed order.
func Squares(x *Node) *Node {
	flat := Reshape(x, x.Shape().Dim(0), -1)
	return DotGeneral(flat, []int{1}, []int{0}, flat, []int{1}, []int{0})
}
