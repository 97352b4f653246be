package ommlx_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/losstest"
)

// The result is L⁻¹f with the Cholesky factor of gonum, in every run, and its second moment matrix is the identity.
func TestOrthonormalized(t *testing.T) {
	const runs, batch, k = 2, 30, 6
	f := graphtest.Gaussian(graphtest.NewRand(95), runs, batch, k)
	for i := range f.Data {
		f.Data[i] += 0.7 * f.Data[i-i%k] // not nearly orthogonal
	}
	p := graphtest.NewProgram(t, func(in []*Node) []*Node {
		g := ommlx.Orthonormalized(in[0])
		return []*Node{g, ommlx.SecondMoment(g, g)}
	})
	out := p.Call(t, f)
	for r := range runs {
		var cholesky mat.Cholesky
		require.True(t, cholesky.Factorize(mat.NewSymDense(k, losstest.SecondMoment(f.Run(r), f.Run(r)).Data)))
		var l, transposed mat.TriDense
		cholesky.LTo(&l)
		require.NoError(t, transposed.InverseTri(&l))
		var want mat.Dense
		want.Mul(f.Run(r).Matrix(), transposed.T())
		graphtest.RequireClose(t, graphtest.FromMatrix(&want), out[0].Run(r), 1e-12, "L⁻¹f")
		graphtest.RequireClose(t, graphtest.Eye(k), out[1].Run(r), 1e-12, "second moment")
	}
	graphtest.RequireClose(t, out[0].Run(1), p.Call(t, f.Run(1))[0], 1e-13, "without run axis")
}
