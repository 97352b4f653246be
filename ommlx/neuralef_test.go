package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/theory"
)

// The loss as published, for normalised functions, with what stands still as an argument of its own.
func TestNeuralEFGradient(t *testing.T) {
	const batch, k = 9, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(91), batch, k)
	requireCentralDifferences(t, func(moving, still ommtest.Point) float64 {
		sum := 0.0
		norm := func(p ommtest.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
		for i := range k {
			sum -= dot(moving.F, i, moving.TF, i) / math.Pow(norm(moving, i), 2)
			for j := range i {
				shared := dot(moving.F, i, still.TF, j) / (norm(moving, i) * norm(still, j))
				sum += shared * shared / (dot(still.F, j, still.TF, j) / math.Pow(norm(still, j), 2))
			}
		}
		return sum
	}, at, ommtest.EvaluateOnce(t, ommlx.NeuralEF{}, at, nil))
}

// It rests at the leading eigenvectors in order, of any norms, where the loss is minus the sum of their eigenvalues,
// and not at other eigenvectors' mixtures.
func TestNeuralEFRestsAtTheEigenvectors(t *testing.T) {
	rng := graphtest.NewRand(92)
	a, w := theory.Symmetric(rng, []float64{4, 3, 2, 1, 0.5})
	p := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.NeuralEF{}))
	v := mat.DenseCopyOf(w.Slice(0, 5, 0, 3))
	v.Mul(v, mat.NewDiagDense(3, []float64{0.3, -2, 1.7}))
	out := p.Call(t, graphtest.FromMatrix(v), graphtest.FromMatrix(a))
	require.InDelta(t, -9, out[0].Data[0], 1e-12)
	require.InDelta(t, 0, floats.Norm(out[1].Data, 2), 1e-12)

	var mixed mat.Dense
	mixed.Mul(v, graphtest.Gaussian(rng, 3, 3).Matrix())
	require.Greater(t, floats.Norm(p.Call(t, graphtest.FromMatrix(&mixed), graphtest.FromMatrix(a))[1].Data, 2), 0.1)
}

// Gradient steps find the leading eigenvectors in order from any start.
func TestNeuralEFFindsTheEigenvectors(t *testing.T) {
	rng := graphtest.NewRand(93)
	a, w := theory.Symmetric(rng, []float64{4, 3, 2, 1, 0.5})
	v := descend(t, ommlx.NeuralEF{}, a, graphtest.Gaussian(rng, 5, 3))
	for i := range 3 {
		requireParallel(t, w.ColView(i), v.Matrix().ColView(i))
	}
}
