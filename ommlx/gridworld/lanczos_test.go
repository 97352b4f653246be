package gridworld

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/spectral"
)

// Symmetric environments have multiple eigenvalues; a cosine with the whole true eigenspace of 1 for each of the
// orthonormal vectors says that the spaces are the same ones.
func TestLanczosOnGridWorlds(t *testing.T) {
	for _, name := range []string{"GridRoom-1", "GridRoomSym-4", "GridRoom-4", "GridMaze-9"} {
		w, err := LoadWorld(name)
		require.NoError(t, err)
		n := w.Grid.N()
		k := min(11, n)
		pairs, err := spectral.Lanczos{K: k}.Solve(n, func(dst, src []float64) {
			mat.NewVecDense(n, dst).MulVec(w.P, mat.NewVecDense(n, src))
		})
		require.NoError(t, err, name)
		var products mat.Dense
		products.Mul(pairs.Vectors.T(), pairs.Vectors)
		assert.True(t, mat.EqualApprox(&products, mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)), 1e-12),
			"%s: orthonormal", name)
		assert.InDeltaSlice(t, w.Truth.Values[:k], pairs.Values, 1e-12, name)
		cosines, _, err := spectral.CosineSimilarity(w.Truth, pairs.Vectors)
		require.NoError(t, err)
		assert.InDeltaSlice(t, slices.Repeat([]float64{1}, k), cosines, 1e-10, name)
		whole := slices.DeleteFunc(w.Truth.Eigenspaces(), func(e spectral.Eigenspace) bool { return e.End > k })
		assert.Equal(t, whole, pairs.Truth().Eigenspaces()[:len(whole)], name)
	}
}
