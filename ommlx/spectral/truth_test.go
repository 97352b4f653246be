package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func randomDense(rng *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// randomOrthogonal returns an n×n orthogonal matrix.
func randomOrthogonal(rng *rand.Rand, n int) *mat.Dense {
	var qr mat.QR
	qr.Factorize(randomDense(rng, n, n))
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

// symmetric returns Q diag(values) Qᵀ.
func symmetric(q *mat.Dense, values []float64) *mat.SymDense {
	n := len(values)
	var half, full mat.Dense
	half.Mul(q, mat.NewDiagDense(n, values))
	full.Mul(&half, q.T())
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return s
}

func TestSymEigenDefiningProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{1, 2, 7, 60} {
		values := make([]float64, n)
		for i := range values {
			values[i] = rng.NormFloat64()
		}
		a := symmetric(randomOrthogonal(rng, n), values)
		truth, err := SymEigen(a)
		require.NoError(t, err)

		var av, vl, gram mat.Dense
		av.Mul(a, truth.Vectors)
		vl.Mul(truth.Vectors, mat.NewDiagDense(n, truth.Values))
		assert.True(t, mat.EqualApprox(&av, &vl, 1e-12), "A V = V Λ at n = %d", n)
		gram.Mul(truth.Vectors.T(), truth.Vectors)
		assert.True(t, mat.EqualApprox(&gram, mat.NewDiagDense(n, ones(n)), 1e-12), "VᵀV = I at n = %d", n)
		for i := 1; i < n; i++ {
			assert.GreaterOrEqual(t, truth.Values[i-1], truth.Values[i])
		}
		assert.InDelta(t, floats.Sum(values), floats.Sum(truth.Values), 1e-12)
	}
}

func ones(n int) []float64 {
	v := make([]float64, n)
	floats.AddConst(1, v)
	return v
}

func TestSymEigenRefuses(t *testing.T) {
	_, err := SymEigen(&mat.SymDense{})
	assert.ErrorContains(t, err, "empty matrix")
	_, err = SymEigen(mat.NewSymDense(2, []float64{1, math.NaN(), math.NaN(), 1}))
	assert.ErrorContains(t, err, "entry (0, 1) is NaN")
	_, err = SymEigen(mat.NewSymDense(1, []float64{math.Inf(1)}))
	assert.ErrorContains(t, err, "entry (0, 0) is +Inf")
}

func TestEigenspacesOfKnownMultiplicities(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	// Scaled, because the tolerance has to follow the spectral radius.
	for _, scale := range []float64{1e-3, 1, 1e6} {
		values := []float64{1, 0.7, 0.7, 0.7, 0.7 - 1e-6, 0.2, 0.2, -1}
		floats.Scale(scale, values)
		truth, err := SymEigen(symmetric(randomOrthogonal(rng, len(values)), values))
		require.NoError(t, err)
		assert.Equal(t, []Eigenspace{{0, 1}, {1, 4}, {4, 5}, {5, 7}, {7, 8}}, truth.Eigenspaces())
		assert.Equal(t, 3, truth.Eigenspaces()[1].Dim())

		assert.True(t, math.IsInf(truth.GapAtTop(1), 1))
		assert.InEpsilon(t, 0.3*scale, truth.GapAtTop(4), 1e-9, "gaps inside an eigenspace do not count")
		assert.InEpsilon(t, 1e-6*scale, truth.GapAtTop(5), 1e-3)
		assert.Equal(t, truth.GapAtTop(len(values)), truth.GapAtTop(100))
	}
}

func TestEigenspacesOfZeroMatrix(t *testing.T) {
	truth, err := SymEigen(mat.NewSymDense(3, nil))
	require.NoError(t, err)
	assert.Equal(t, []Eigenspace{{0, 3}}, truth.Eigenspaces())
}
