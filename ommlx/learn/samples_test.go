package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/spectral"
)

// normal are n points with standard normal coordinates.
func normal(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// gaussian is 5 exp(−2|x − y|²).
func gaussian(x, y *Node) *Node {
	return MulScalar(Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -2)), 5)
}

// TestKernelIsTheGramMatrix: on all samples the operator is the Gram matrix without its diagonal, over n − 1.
func TestKernelIsTheGramMatrix(t *testing.T) {
	const n, k = 300, 4
	x := normal(n, 1, 1)
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			gram.SetSym(i, j, 5*math.Exp(-2*math.Pow(x.At(i, 0)-x.At(j, 0), 2))/(n-1))
		}
	}
	truth, err := spectral.SymEigen(gram)
	require.NoError(t, err)
	kernel := learn.Kernel{Samples: x, K: gaussian}
	values, extended, err := kernel.Exact(graphtest.Backend(t), k, x)
	require.NoError(t, err)
	assert.InEpsilonSlice(t, truth.Values[:k], values, 1e-4)
	for i := range k {
		a, b := truth.Vectors.ColView(i), extended.ColView(i)
		assert.InDelta(t, 1, math.Abs(mat.Dot(a, b))/(mat.Norm(a, 2)*mat.Norm(b, 2)), 1e-6) // the diagonal is constant
	}
	learned, err := learn.Learn(context.Background(), kernel, k, learn.Settings{Steps: 1_500})
	require.NoError(t, err)
	functions, err := learned.At(x)
	require.NoError(t, err)
	cosines, _, err := spectral.CosineSimilarity(truth, functions)
	require.NoError(t, err)
	for i := range k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.01)
		assert.Greater(t, cosines[i], 0.99)
	}
}

// TestPairsOfAnOrnsteinUhlenbeckProcess: x' = ρx + √(1−ρ²)z in each coordinate, of which Mehler's formula has the
// spectrum: products of ρ_d^n.
func TestPairsOfAnOrnsteinUhlenbeckProcess(t *testing.T) {
	const n, k = 20_000, 3
	from, to, z := normal(n, 2, 1), mat.NewDense(n, 2, nil), normal(n, 2, 2)
	rho := []float64{0.9, 0.7}
	to.Apply(func(i, d int, _ float64) float64 {
		return rho[d]*from.At(i, d) + math.Sqrt(1-rho[d]*rho[d])*z.At(i, d)
	}, to)
	learned, err := learn.Learn(context.Background(), learn.Pairs{From: from, To: to}, k,
		learn.Settings{Steps: 1_200})
	require.NoError(t, err)
	for i, exact := range []float64{1, 0.9, 0.81} {
		assert.InEpsilon(t, exact, learned.Values[i], 0.02)
		assert.True(t, math.IsNaN(learned.Residuals[i]))
	}

	basis, err := learn.Pairs{From: from, To: to}.EDMD(2, k) // which holds 1, x and x² − 1
	require.NoError(t, err)
	assert.Equal(t, 6, basis.Basis)
	assert.InEpsilonSlice(t, []float64{1, 0.9, 0.81}, basis.Values, 0.02)
	x := mat.NewDense(3, 2, []float64{-1, 5, 0.5, 6, 2, -3})
	f := basis.At(x)
	for i := range 3 {
		assert.InDelta(t, math.Abs(x.At(i, 0)), math.Abs(f.At(i, 1)), 0.1)
		assert.InDelta(t, math.Abs(math.Pow(x.At(i, 0), 2)-1)/math.Sqrt2, math.Abs(f.At(i, 2)), 0.25)
	}
	for word, ask := range map[string][2]int{"7 functions were asked for, but there are 6": {2, 7},
		"degree -1": {-1, 1}} {
		_, err = learn.Pairs{From: from, To: to}.EDMD(ask[0], ask[1])
		assert.ErrorContains(t, err, word)
	}
	_, err = learn.Pairs{From: from, To: normal(3, 2, 1)}.EDMD(1, 1)
	assert.ErrorContains(t, err, "the starts of pairs are 20000×2 but the ends 3×2")
}
