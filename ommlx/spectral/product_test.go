package spectral

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestProductWithASparseMatrix(t *testing.T) {
	p := mat.NewSymDense(4, []float64{
		2, 0, 1, 0,
		0, 0, 0, 3,
		1, 0, 0, 0,
		0, 3, 0, -1,
	})
	src, dst := []float64{1, -2, 3, 5}, []float64{9, 9, 9, 9}
	Product(p)(dst, src)
	var exact mat.VecDense
	exact.MulVec(p, mat.NewVecDense(4, src))
	require.Equal(t, exact.RawVector().Data, dst)
}
