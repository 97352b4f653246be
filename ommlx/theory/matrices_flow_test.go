package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 2.2.3: "the OMM cannot be applied to non-PSD symmetric matrices". The loss is unbounded below, but under
// gradient flow E = I − VᵀV obeys, for every symmetric A and every order,
//
//	Ė = −4 Σ_{i<2p} E^i B E^{2p−1−i} = −4 (NE + ENᵀ),  N = Σ_{i<p} E^i B E^{2p−2−i},  B = VᵀAV,
//
// a congruence, which keeps the signs of E's eigenvalues: from a start with VᵀV ⪯ I the un-nested OMM never leaves it,
// and does not diverge. Checked are the equation, from the library's gradient, that the flow stays in the ball, and
// that it ends at the leading space, where the loss is −Σ λ_i, which contradicts "cannot be applied".
func TestFlowStaysWithinTheUnitBall(t *testing.T) {
	claim := claims.Of(t, "no-omm-without-psd")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const k = 3
		p := drawOrder(t)
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := Scaled(0.5, Gaussian(s.rng, libraryStates, k))
		_, gradient := programs[p-1](v, s.a)
		e, b := Combine(1, Eye(k), -1, Gram(v)), Product(v.T(), s.a, v)
		n := mat.NewDense(k, k, nil)
		for i := range p {
			n.Add(n, Product(Power(e, i), b, Power(e, 2*p-2-i)))
		}
		// V̇ = −∇L, so Ė = −(V̇ᵀV + VᵀV̇) = ∇LᵀV + Vᵀ∇L.
		velocity := Product(gradient.T(), v)
		want := Combine(-4, Product(n, e), -4, Product(e, n.T()))
		ommtest.Within(t, claim.Corrected, "relative difference of Ė and −4(NE + ENᵀ)",
			matrixDifference(want, Combine(1, velocity, 1, velocity.T())), 1e-10)
	})

	const sum = 3.3 // λ_1 + λ_2 + λ_3
	flows, reached := 0.0, 0.0
	for _, program := range programs {
		for seed := range uint64(3) {
			rng := graphtest.NewRand(720 + seed)
			a, _ := Symmetric(rng, []float64{2, 1, 0.3, -0.5, -1, -2})
			unit := Orthonormal(rng, libraryStates, 3)
			start := Scaled(0.99, unit)
			end := Flow(program, start, a, 12, 0.02, func(_ float64, v *mat.Dense) {
				ommtest.Within(t, claim.Corrected, "excess of VᵀV's eigenvalues over 1 along the flow, p = 1, 2, 3",
					ommtest.Excess(eigenvaluesOf(t, Gram(v))[2], 1), 1e-6)
			})
			loss, _ := program(end, a)
			ommtest.Within(t, claim.Corrected, "distance from −Σ λ_i of the loss where the flow ends, p = 1, 2, 3",
				math.Abs(loss+sum), 1e-5)
			if flows++; math.Abs(loss+sum) <= 1e-5 {
				reached++
			}
		}
	}
	ommtest.Beyond(t, claim.Printed, "share of flows from ‖V‖ = 0.99, A indefinite, that end at the leading space",
		reached/flows, 0)

	// Along an eigenvector of eigenvalue −1 the fate is decided by the side of 1 on which the norm starts: it shrinks
	// until another eigenvector takes over, or it grows without bound.
	a, w := Symmetric(graphtest.NewRand(725), []float64{2, 1, 0.3, -0.5, -0.7, -1})
	for p, program := range programs {
		for _, c := range []struct{ norm, least, most float64 }{{0.95, 0, 1 + 1e-6}, {1.3, 10, math.Inf(1)}} {
			last := 0.0
			v := Scaled(c.norm, Columns(w, 5, 6))
			Flow(program, v, a, 3, 0.01, func(_ float64, v *mat.Dense) { last = mat.Norm(v, 2) })
			require.GreaterOrEqual(t, last, c.least, "p = %d from %g", p+1, c.norm)
			require.LessOrEqual(t, last, c.most, "p = %d from %g", p+1, c.norm)
		}
	}
	claim.Note("from norm 1.3 along a negative eigenvector the norm grows beyond 10, as the paper says")
}

// For OMM_seq, which is no gradient flow, that invariance is not exact: from 0.9 times orthonormal columns VᵀV passes 1
// (by a quarter here) on its way to W_{1:k}, where it does end.
func TestSequentialFlowLeavesTheUnitBallAndReturns(t *testing.T) {
	claim := claims.Of(t, "no-omm-without-psd")
	values := []float64{2, 1, 0.3, -0.5, -1, -2}
	omm := ommlx.OMM{Nesting: ommlx.Sequential}
	program := onMatrix(t, omm)
	largest := 0.0
	for seed := range uint64(3) {
		rng := graphtest.NewRand(720 + seed)
		a, w := Symmetric(rng, values)
		unit := Orthonormal(rng, libraryStates, 3)
		var last *mat.Dense
		Flow(program, Scaled(0.9, unit), a, 10, 0.02, func(_ float64, v *mat.Dense) {
			last = v
			largest = math.Max(largest, eigenvaluesOf(t, Gram(v))[2])
		})
		ommtest.RequireEigenvectors(t, omm, last, w, values, 1e-3)
	}
	require.Greater(t, largest, 1.05)
	ommtest.Within(t, claim.Corrected, "largest eigenvalue of VᵀV along the flow of OMM_seq, from 0.81, before it "+
		"ends at W_{1:k}", largest, 2)
}
