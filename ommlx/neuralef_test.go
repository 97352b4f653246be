package ommlx_test

import (
	"math"
	"testing"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
)

// The published loss of NeuralEF, for normalised functions, with the stopped functions as a separate argument.
func TestNeuralEFGradient(t *testing.T) {
	const batch, k = 9, 4
	norm := func(p testkit.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
	quotient := func(p testkit.Point, i int) float64 { return dot(p.F, i, p.TF, i) / math.Pow(norm(p, i), 2) }
	at := testkit.GaussianPoint(testkit.NewRand(91), batch, k)
	requireCentralDifferences(t, func(moving, still testkit.Point) float64 {
		sum := 0.0
		for i := range k {
			sum -= quotient(moving, i)
			for j := range i {
				shared := dot(moving.F, i, still.TF, j) / (norm(moving, i) * norm(still, j))
				sum += shared * shared / quotient(still, j)
			}
		}
		return sum
	}, at, evaluateObjective(t, ommlx.NeuralEF{}, at, nil))
}

// Gradient steps find the leading eigenvectors in order from any start.
func TestNeuralEFFindsTheEigenvectors(t *testing.T) {
	rng := testkit.NewRand(93)
	a, w := verify.Symmetric(rng, []float64{4, 3, 2, 1, 0.5})
	v := testkit.Gaussian(rng, 5, 3)
	descend(t, ommlx.NeuralEF{}, a, v, 2000, 0.02)
	requireFinds(t, w, v.Matrix(), 0, 1, 2)
}
