package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

// flow follows V̇ = −∇L for a time by Runge–Kutta steps of order 4 and calls visit after each; it stops where ‖V‖ passes 100.
func flow(t require.TestingT, p program, v, a *mat.Dense, time, step float64, visit func(v *mat.Dense)) {
	field := func(v *mat.Dense) *mat.Dense {
		_, gradient := p.at(t, v, a)
		return combine(-1, gradient, 0, gradient)
	}
	for range int(math.Round(time / step)) {
		k1 := field(v)
		k2 := field(combine(1, v, step/2, k1))
		k3 := field(combine(1, v, step/2, k2))
		k4 := field(combine(1, v, step, k3))
		slope := combine(1, combine(1, k1, 2, k2), 1, combine(2, k3, 1, k4))
		v = combine(1, v, step/6, slope)
		visit(v)
		if !(mat.Norm(v, 2) < 100) {
			return
		}
	}
}

// Section 2.2.3: "the OMM cannot be applied to non-PSD symmetric matrices". The loss is unbounded below, but under gradient
// flow E = I − VᵀV obeys, for every symmetric A and every order,
//
//	Ė = −4 Σ_{i<2p} E^i B E^{2p−1−i} = −4 (ME + EMᵀ),  M = Σ_{i<p} E^i B E^{2p−2−i},  B = VᵀAV,
//
// a congruence, which keeps the signs of E's eigenvalues: from a start with VᵀV ⪯ I the un-nested OMM never leaves it, and
// does not diverge. Checked are the equation, from the library's gradient, and what the flow then does.
func TestIdentityFlowStaysWithinTheUnitBall(t *testing.T) {
	claim := claims.Of(t, "no-omm-without-psd")
	programs := ommPrograms(t)
	rapid.Check(t, func(t *rapid.T) {
		const k = 3
		p := drawOrder(t)
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := gaussian(s.rng, libraryStates, k).scaled(0.5).matrix()
		_, gradient := programs[p-1].at(t, v, s.a)
		e, b := combine(1, eye(k), -1, gram(v)), prod(v.T(), s.a, v)
		m := mat.NewDense(k, k, nil)
		for i := range p {
			m.Add(m, prod(power(e, i), b, power(e, 2*p-2-i)))
		}
		// V̇ = −∇L, so Ė = −(V̇ᵀV + VᵀV̇) = ∇LᵀV + Vᵀ∇L.
		velocity := prod(gradient.T(), v)
		want := combine(-4, prod(m, e), -4, prod(e, m.T()))
		within(t, claim.Corrected, "relative difference of Ė and −4(ME + EMᵀ)", matrixDifference(want, combine(1, velocity, 1, velocity.T())), 1e-10)
	})

	for _, program := range programs {
		for seed := range uint64(3) {
			rng := newRand(720 + seed)
			a, _ := symmetric(rng, []float64{2, 1, 0.3, -0.5, -1, -2})
			unit := orthogonal(rng, libraryStates, 3)
			start := combine(0.99, unit, 0, unit)
			flow(t, program, start, a, 2, 0.02, func(v *mat.Dense) {
				within(t, claim.Corrected, "excess of VᵀV's eigenvalues over 1 along the flow, p = 1, 2, 3", excess(eigenvaluesOf(t, gram(v))[2], 1), 1e-6)
			})
		}
	}

	// Along an eigenvector of eigenvalue −1 the fate is decided by the side of 1 on which the norm starts:
	// it shrinks until another eigenvector takes over, or it grows without bound.
	a, w := symmetric(newRand(725), []float64{2, 1, 0.3, -0.5, -0.7, -1})
	for p, program := range programs {
		for _, c := range []struct{ norm, least, most float64 }{{0.95, 0, 1 + 1e-6}, {1.3, 10, math.Inf(1)}} {
			last := 0.0
			v := combine(c.norm, columns(w, 5, 6), 0, columns(w, 5, 6))
			flow(t, program, v, a, 3, 0.01, func(v *mat.Dense) { last = mat.Norm(v, 2) })
			require.GreaterOrEqual(t, last, c.least, "p = %d from %g", p+1, c.norm)
			require.LessOrEqual(t, last, c.most, "p = %d from %g", p+1, c.norm)
			if c.norm > 1 {
				claim.Printed("norm that a start of norm 1.3 along a negative eigenvector reaches, followed to 100", min(last, 100), c.least)
			}
		}
	}
}

// For OMM_seq, which is no gradient flow, that invariance is not exact: from 0.9 times orthonormal columns VᵀV passes 1 (by a
// quarter here) on its way to W_{1:k}, where it does end.
func TestIdentitySequentialFlowLeavesTheUnitBallAndReturns(t *testing.T) {
	claim := claims.Of(t, "no-omm-without-psd")
	values := []float64{2, 1, 0.3, -0.5, -1, -2}
	omm := ommlx.OMM{Nesting: ommlx.Sequential}
	program := newProgram(t, onMatrix(omm))
	largest := 0.0
	for seed := range uint64(3) {
		rng := newRand(720 + seed)
		a, w := symmetric(rng, values)
		unit := orthogonal(rng, libraryStates, 3)
		var last *mat.Dense
		flow(t, program, combine(0.9, unit, 0, unit), a, 10, 0.02, func(v *mat.Dense) {
			last = v
			largest = math.Max(largest, eigenvaluesOf(t, gram(v))[2])
		})
		requireEigenvectors(t, omm, last, w, values, 1e-3)
	}
	require.Greater(t, largest, 1.05)
	within(t, claim.Corrected, "largest eigenvalue of VᵀV along the flow of OMM_seq, from 0.81, before it ends at W_{1:k}", largest, 2)
}

// Sections 2.2.5 and 3.2.1 find Sanger's variant "rather surprisingly" stable where OMM is not. For one function v = √μ·v̂
// with ρ = v̂ᵀAv̂ the descent directions are, across and along v,
//
//	OMM:     √μ (2(2 − μ) (A − ρ)v̂ + 4ρ(1 − μ) v̂)
//	Sanger:  √μ (2        (A − ρ)v̂ + 2ρ(1 − μ) v̂)
//	LoRA:    √μ (4        (A − ρ)v̂ + 4(ρ − μ)  v̂)
//
// so that for μ > 2 OMM turns v to the lowest eigenvector, and the others always turn it to the highest. That negative
// eigenvalues make the norm grow is common to OMM and Sanger, and does not tell them apart.
func TestIdentityOMMTurnsBackBeyondSquaredNormTwo(t *testing.T) {
	claim := claims.Of(t, "sanger-is-stable")
	for _, c := range []struct {
		objective     ommlx.Objective
		across, along func(mu, rho float64) float64
	}{
		{ommlx.OMM{}, func(mu, _ float64) float64 { return 2 * (2 - mu) }, func(mu, rho float64) float64 { return 4 * rho * (1 - mu) }},
		{ommlx.Sanger{}, func(_, _ float64) float64 { return 2 }, func(mu, rho float64) float64 { return 2 * rho * (1 - mu) }},
		{ommlx.LoRA{}, func(_, _ float64) float64 { return 4 }, func(mu, rho float64) float64 { return 4 * (rho - mu) }},
	} {
		program := newProgram(t, onMatrix(c.objective))
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpectrum(t, libraryStates, 0, -4, 4)
			mu := rapid.Float64Range(0.01, 9).Draw(t, "mu")
			unit := orthogonal(s.rng, libraryStates, 1)
			rho := mat.Trace(prod(unit.T(), s.a, unit))
			_, gradient := program.at(t, combine(math.Sqrt(mu), unit, 0, unit), s.a)
			turn := combine(1, prod(s.a, unit), -rho, unit)
			want := combine(c.across(mu, rho), turn, c.along(mu, rho), unit)
			got := combine(-1/math.Sqrt(mu), gradient, 0, gradient)
			within(t, claim.Corrected, "relative difference of the descent directions and their closed forms", matrixDifference(want, got), 1e-11)
		})
	}
}
