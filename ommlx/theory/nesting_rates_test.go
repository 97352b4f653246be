package theory

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
)

// Section 2.2.4 compares joint with sequential nesting only by experience. Their linearisations at the solution tell
// how fast descent is: after a while each step η multiplies the angles by 1 − η·(least eigenvalue), where η is bounded
// by the largest. Checked are the eigenvalues, for sequential LoRA and for joint nesting with several weights (for the
// other rules see TestOrderedEigenvectorsAttract), and that descent does what they say.
func TestLocalRatesAreThoseOfTheJacobian(t *testing.T) {
	claim := claims.Of(t, "seq-converges")
	const k = 3
	lambda := []float64{1, 0.6, 0.35, 0.2, 0.1}
	rng := graphtest.NewRand(760)
	a, w := Symmetric(rng, lambda)
	plain := Columns(w, 0, k)
	scaled := Product(plain, mat.NewDiagDense(k, []float64{1, math.Sqrt(0.6), math.Sqrt(0.35)}))
	for _, c := range []struct {
		objective ommlx.Objective
		at        *mat.Dense
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, plain},
		{ommlx.Sanger{}, plain},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, scaled},
		{ommlx.OMM{Nesting: ommlx.Joint}, plain},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{4, 2, 1}}, plain},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.1, 0.3, 0.6}}, plain},
	} {
		rates, err := Rates(c.objective, lambda, k)
		require.NoError(t, err)
		loss := onMatrix(t, c.objective)
		measured, err := RealEigenvalues(Jacobian(loss, c.at, a))
		require.NoError(t, err)
		require.InDeltaSlice(t, rates, measured, 1e-5, c.objective.Name())

		least, eta := rates[0], 1/rates[len(rates)-1]
		settle, window := int(16/(eta*least)), int(2/(eta*least))
		v := Combine(1, c.at, 0.01, Gaussian(rng, len(lambda), k))
		var steps, angles []float64
		Descend(loss, v, a, eta, settle+window, func(step int, v *mat.Dense) bool {
			if step >= settle {
				steps, angles = append(steps, float64(step)), append(angles, slices.Max(Angles(v, w)))
			}
			return true
		})
		rate := (1 - math.Exp(-DecayRate(steps, angles))) / eta
		require.InEpsilon(t, least, rate, 0.02, "%s %v", c.objective.Name(), c.objective)
		if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
			claim.Printed("relative difference of the rate of descent and the least of them",
				math.Abs(rate/least-1), 0.02)
		}
	}
}

// Joint nesting tells v_i and v_{i+1} apart by the one prefix that holds the first and not the second. For a small gap
// the slow one of their two eigenvalues is α_i(λ_i − λ_{i+1}), against 2(λ_i − λ_{i+1}) in sequential nesting: 2k times
// slower with the paper's α_i = 1/k, at the same largest eigenvalue 8λ_1.
func TestJointNestingSeparatesNeighboursSlowly(t *testing.T) {
	claim := claims.Of(t, "seq-vs-joint")
	const k = 3
	a, w := Symmetric(graphtest.NewRand(770), []float64{1, 0.95, 0.3, 0.05})
	v := Columns(w, 0, k)
	least := func(n ommlx.Nesting) (least, most float64) {
		values, err := RealEigenvalues(Jacobian(onMatrix(t, ommlx.OMM{Nesting: n}), v, a))
		require.NoError(t, err)
		return values[0], values[len(values)-1]
	}
	joint, jointMost := least(ommlx.Joint)
	sequential, sequentialMost := least(ommlx.Sequential)
	require.InEpsilon(t, 2*k, sequential/joint, 0.01)
	claim.Printed("slowest rate of joint nesting over that of sequential nesting, eigenvalues 1 and 0.95 among "+
		"three, in theory 1/(2k)", joint/sequential, 1)
	require.InEpsilon(t, 8, jointMost, 1e-5)
	require.InEpsilon(t, 8, sequentialMost, 1e-5)
}
