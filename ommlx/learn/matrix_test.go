package learn_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/spectral"
)

// likeNeighbours is A_ij = 3·0.9^|i−j|, the covariance of a series in which neighbours are alike.
func likeNeighbours(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, 3*math.Pow(0.9, float64(i-j)))
		}
	}
	return a
}

func TestMatrixIsSolvedByTheDefaults(t *testing.T) {
	const k = 5
	a := likeNeighbours(200)
	truth, err := spectral.SymEigen(a)
	require.NoError(t, err)
	learned, err := learn.Learn(context.Background(), learn.Matrix{A: a}, k, learn.Settings{})
	require.NoError(t, err)
	errs, err := spectral.RelativeErrors(learned.Values, truth.Values)
	require.NoError(t, err)
	for i := range k {
		assert.Less(t, errs[i], 1e-4)
		assert.Less(t, learned.Residuals[i], 1e-2*truth.Values[0])
	}
	v, err := learned.At(nil)
	require.NoError(t, err)
	cosines, _, err := spectral.CosineSimilarity(truth, v)
	require.NoError(t, err)
	for i := range k {
		assert.Greater(t, cosines[i], 0.9999)
		assert.InDelta(t, 1, mat.Norm(v.ColView(i), 2), 1e-3)
	}
	assert.Empty(t, learned.Advice())
}
