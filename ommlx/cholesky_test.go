package ommlx

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
)

// The result is the inverse of gonum's Cholesky factor in every run, and NaN for a matrix that is not positive
// definite.
func TestInverseCholesky(t *testing.T) {
	const runs, batch, k = 2, 30, 6
	f := graphtest.Gaussian(graphtest.NewRand(95), runs, batch, k)
	for i := range f.Data {
		f.Data[i] += 0.7 * f.Data[i-i%k] // not nearly orthogonal
	}
	p := graphtest.NewProgram(t, func(in []*Node) []*Node { return []*Node{inverseCholesky(in[0])} })
	m := graphtest.NewArray(runs, k, k)
	for r := range runs {
		var product mat.Dense
		product.Mul(f.Run(r).Matrix().T(), f.Run(r).Matrix())
		m.Run(r).Matrix().Copy(&product)
	}
	got := p.Call(t, m)[0]
	for r := range runs {
		var cholesky mat.Cholesky
		require.True(t, cholesky.Factorize(mat.NewSymDense(k, m.Run(r).Data)))
		var l, want mat.TriDense
		cholesky.LTo(&l)
		require.NoError(t, want.InverseTri(&l))
		graphtest.RequireClose(t, graphtest.FromMatrix(&want), got.Run(r), 1e-12, "L⁻¹")
	}
	graphtest.RequireClose(t, got.Run(1), p.Call(t, m.Run(1))[0], 1e-13, "without run axis")

	indefinite := graphtest.FromMatrix(mat.NewDense(2, 2, []float64{1, 2, 2, 1}))
	require.True(t, math.IsNaN(p.Call(t, indefinite)[0].Data[3]))
}
