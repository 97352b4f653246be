package theory

import (
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/tensorx"
)

// Tensor copies a matrix in float64: [rows, columns].
func Tensor(m mat.Matrix) *tensors.Tensor {
	rows, columns := m.Dims()
	return tensors.FromFlatDataAndDimensions(mat.DenseCopyOf(m).RawMatrix().Data, rows, columns)
}

// Stacked copies matrices of one shape in float64, one for each run: [R, rows, columns].
func Stacked(runs []*mat.Dense) *tensors.Tensor {
	rows, columns := runs[0].Dims()
	flat := make([]float64, 0, len(runs)*rows*columns)
	for _, m := range runs {
		flat = append(flat, mat.DenseCopyOf(m).RawMatrix().Data...)
	}
	return tensors.FromFlatDataAndDimensions(flat, len(runs), rows, columns)
}

// Runs copies the matrix of each run of x, [R, rows, columns] or one run's [rows, columns], in float32 or float64.
func Runs(x *tensors.Tensor) []*mat.Dense {
	dims := x.Shape().Dimensions
	rows, columns := dims[len(dims)-2], dims[len(dims)-1]
	all := make([]*mat.Dense, x.Shape().Size()/(rows*columns))
	flat := tensorx.Numbers(x)
	for r := range all {
		all[r] = mat.NewDense(rows, columns, flat[r*rows*columns:(r+1)*rows*columns])
	}
	return all
}
