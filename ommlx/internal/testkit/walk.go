package testkit

import (
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
)

// SparseValues returns the eigenvalues, descending, of a symmetric matrix given by tables of the rows, columns and
// values of its entries, the first three of a learn.Graph's Data. Every row has an entry.
func SparseValues(tables []*tensors.Tensor) []float64 {
	rows, columns, values := tensorx.Numbers(tables[0]), tensorx.Numbers(tables[1]), tensorx.Numbers(tables[2])
	a := mat.NewSymDense(1+int(slices.Max(rows)), nil)
	for e, v := range values {
		if i, j := int(rows[e]), int(columns[e]); i <= j {
			a.SetSym(i, j, a.At(i, j)+v)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, false) {
		panic("no convergence")
	}
	descending := eigen.Values(nil)
	slices.Reverse(descending)
	return descending
}
