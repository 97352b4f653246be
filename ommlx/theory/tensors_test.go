package theory

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestRunsOfATensor(t *testing.T) {
	a := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	b := Columns(mat.NewDense(2, 5, []float64{0, 7, 8, 9, 0, 0, 10, 11, 12, 0}), 1, 4)
	stacked := Stacked([]*mat.Dense{a, b})
	require.Equal(t, []int{2, 2, 3}, stacked.Shape().Dimensions)
	require.Equal(t, []*mat.Dense{a, b}, Runs(stacked))
	require.Equal(t, []*mat.Dense{b}, Runs(Tensor(b)))
	require.Equal(t, []*mat.Dense{mat.NewDense(1, 2, []float64{1, 0.5})},
		Runs(tensors.FromValue([][][]float32{{{1, 0.5}}})))
}
