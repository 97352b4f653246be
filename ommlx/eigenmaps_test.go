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
func TestNeuralEigenmapsGradient(t *testing.T) {
	const batch, k, alpha, scale = 9, 4, 0.7, 0.2
	at := ommtest.GaussianPoint(graphtest.NewRand(94), batch, k)
	requireCentralDifferences(t, func(moving, still ommtest.Point) float64 {
		sum := 0.0
		norm := func(p ommtest.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
		for i := range k {
			sum -= 2 * scale / k * dot(moving.F, i, moving.TF, i) / math.Pow(norm(moving, i), 2)
			for j := range i {
				shared := dot(moving.F, i, still.TF, j) / (norm(moving, i) * norm(still, j))
				sum += 2 * alpha * scale * scale / k * shared * shared
			}
		}
		return sum
	}, at, ommtest.EvaluateOnce(t, ommlx.NeuralEigenmaps{Alpha: alpha, Scale: scale}, at, nil))
}

// Above the bound αs > (λ_i − λ_j)/λ_i² the leading eigenvectors are found in order; below it the first one is found
// again in the place of the second.
func TestNeuralEigenmapsNeedsALargeCharge(t *testing.T) {
	rng := graphtest.NewRand(95)
	a, w := theory.Symmetric(rng, []float64{4, 3, 0.5, 0.2})
	const bound = (4. - 3) / 16
	for charge, want := range map[float64]int{4 * bound: 1, 0.1 * bound: 0} {
		const scale = 5
		o := ommlx.NeuralEigenmaps{Alpha: charge / scale, Scale: scale}
		v := descend(t, o, a, graphtest.Gaussian(rng, 4, 2))
		requireParallel(t, w.ColView(0), v.Matrix().ColView(0))
		requireParallel(t, w.ColView(want), v.Matrix().ColView(1))
	}
	p := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.NeuralEigenmaps{Alpha: 1, Scale: 0.1}))
	v := mat.DenseCopyOf(w.Slice(0, 4, 0, 2))
	v.Mul(v, mat.NewDiagDense(2, []float64{0.3, -2}))
	out := p.Call(t, graphtest.FromMatrix(v), graphtest.FromMatrix(a))
	require.InDelta(t, -0.1*7, out[0].Data[0], 1e-12, "−(2s/k) Σ λ_i at the eigenvectors, of any norms")
	require.InDelta(t, 0, floats.Norm(out[1].Data, 2), 1e-12)
}
