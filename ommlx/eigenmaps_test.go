package ommlx_test

import (
	"math"
	"testing"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// The losses of NeuralEF and of Neural Eigenmaps as published, for normalised functions, with what stands still as an
// argument of its own.
func TestNeuralEigenfunctionsGradient(t *testing.T) {
	const batch, k, alpha, scale = 9, 4, 0.7, 0.2
	norm := func(p ommtest.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
	quotient := func(p ommtest.Point, i int) float64 { return dot(p.F, i, p.TF, i) / math.Pow(norm(p, i), 2) }
	for _, c := range []struct {
		objective ommlx.Objective
		weight    float64                                  // of ⟨f_i, Tf_i⟩
		charge    func(still ommtest.Point, j int) float64 // of ⟨f_i, Tf_j⟩², j < i
	}{
		{ommlx.NeuralEF{}, 1, func(still ommtest.Point, j int) float64 { return 1 / quotient(still, j) }},
		{ommlx.NeuralEigenmaps{Alpha: alpha, Scale: scale}, 2 * scale / k,
			func(ommtest.Point, int) float64 { return 2 * alpha * scale * scale / k }},
	} {
		at := ommtest.GaussianPoint(testkit.NewRand(91), batch, k)
		requireCentralDifferences(t, func(moving, still ommtest.Point) float64 {
			sum := 0.0
			for i := range k {
				sum -= c.weight * quotient(moving, i)
				for j := range i {
					shared := dot(moving.F, i, still.TF, j) / (norm(moving, i) * norm(still, j))
					sum += c.charge(still, j) * shared * shared
				}
			}
			return sum
		}, at, ommtest.EvaluateOnce(t, c.objective, at, nil))
	}
}

// Gradient steps find the leading eigenvectors in order from any start.
func TestNeuralEFFindsTheEigenvectors(t *testing.T) {
	rng := testkit.NewRand(93)
	a, w := verify.Symmetric(rng, []float64{4, 3, 2, 1, 0.5})
	v := testkit.Gaussian(rng, 5, 3)
	descend(t, ommlx.NeuralEF{}, a, v, 2000, 0.02)
	requireFinds(t, w, v.Matrix(), 0, 1, 2)
}

// Above the bound αs > (λ_i − λ_j)/λ_i² Neural Eigenmaps find the leading eigenvectors in order; below it the first one
// is found again in the place of the second.
func TestNeuralEigenmapsNeedsALargeCharge(t *testing.T) {
	rng := testkit.NewRand(95)
	a, w := verify.Symmetric(rng, []float64{4, 3, 0.5, 0.2})
	const bound, scale = (4. - 3) / 16, 5
	for charge, want := range map[float64]int{4 * bound: 1, 0.1 * bound: 0} {
		v := testkit.Gaussian(rng, 4, 2)
		descend(t, ommlx.NeuralEigenmaps{Alpha: charge / scale, Scale: scale}, a, v, 2000, 0.02)
		requireFinds(t, w, v.Matrix(), 0, want)
	}
}
