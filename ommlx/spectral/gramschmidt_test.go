package spectral

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestGramSchmidt(t *testing.T) {
	const n, k = 50, 4
	rng := rand.New(rand.NewPCG(1, 2))
	f, weights := mat.NewDense(n, k, nil), make([]float64, n)
	for p := range n {
		weights[p] = 0.5 + rng.Float64()
		for i := range k {
			f.Set(p, i, rng.NormFloat64())
		}
	}
	c, err := GramSchmidt(f, weights)
	require.NoError(t, err)
	var q mat.Dense
	q.Mul(f, c)
	assert.True(t, mat.EqualApprox(identity(k), products(t, &q, weights), 1e-12))
	for i := range k {
		assert.Positive(t, c.At(i, i), "keeps the direction of f_i")
		for j := range i {
			assert.Zero(t, c.At(i, j), "a function is made from those up to it")
		}
	}

	f.SetCol(3, mat.Col(nil, 0, f))
	_, err = GramSchmidt(f, weights)
	require.ErrorContains(t, err, "dependent")
	_, err = GramSchmidt(f, weights[1:])
	require.Error(t, err)
}

// products returns the matrix of inner products ⟨f_i, f_j⟩.
func products(t require.TestingT, f *mat.Dense, weights []float64) *mat.SymDense {
	weighted, err := weigh("function", f, weights)
	require.NoError(t, err)
	var all mat.SymDense
	all.SymOuterK(1, weighted.T())
	return &all
}
