package verify

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Appendix D: ∇L^(p) = −2 (Σ_{i<2p} RⁱAR^{2p−1−i}) V with R = I − VVᵀ, for any symmetric A; and orders can be mixed.
func TestGradientOfOrderP(t *testing.T) {
	gradients, mixture := papertest.Of(t, "omm-p-gradient"), papertest.Of(t, "mixture")
	programs, mixed := ommLosses(t), onMatrix(t, ommlx.OMM{Orders: []float64{1, 1}})
	forAll(t, 1, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v := s.gaussian(0.4, k)
		r := residual(v)
		var losses []float64
		var all []*mat.Dense
		for p, program := range programs {
			sum := mat.NewDense(states, states, nil)
			for i := range 2*p + 2 {
				sum.Add(sum, Product(Power(r, i), s.a, Power(r, 2*p+1-i)))
			}
			loss, gradient := program(v, s.a)
			gradients.Printed.Same(t, "largest difference, p = 1, 2, 3", Scaled(-2, Product(sum, v)), gradient, 1e-11)
			losses, all = append(losses, loss), append(all, gradient)
		}
		loss, gradient := mixed(v, s.a)
		mixture.Printed.Agree(t, "largest difference of the loss", losses[0]+losses[1], loss, 1e-12)
		mixture.Printed.Same(t, "largest difference of the gradient", Combine(1, all[0], 1, all[1]), gradient, 1e-12)
		closed, slope := OMM([]float64{1, 0, 2})(v, s.a)
		require.Less(t, papertest.Difference(losses[0]+2*losses[2], closed), 1e-11)
		want := Combine(1, all[0], 2, all[2])
		require.Less(t, mat.Norm(Combine(1, want, -1, slope), 2), 1e-11*(1+mat.Norm(want, 2)))
	})
}

// Appendix D compares orders at an idempotent R = I − VVᵀ. The printed difference −4(p−1)RARV is right, but RV = 0, so
// the difference and Δ are zero.
func TestOrdersAgreeOnOrthonormalColumns(t *testing.T) {
	idempotent, larger := papertest.Of(t, "idempotent-simplification"), papertest.Of(t, "higher-order-larger-gradients")
	proportional, programs := papertest.Of(t, "omm1-gradient-proportional"), ommLosses(t)
	notAbove := func(x, bound float64) float64 {
		if x > bound {
			return 0
		}
		return 1
	}
	forAll(t, 1, 0.1, 4, func(t *rapid.T, s spectrum, _ int) {
		v := s.orthonormal(3)
		r := residual(v)
		extra := Product(r, s.a, r, v)
		idempotent.Corrected.Within(t, "RARV where R = I − VVᵀ is idempotent", mat.Norm(extra, 2), 1e-13)
		_, first := programs[0](v, s.a)
		for p, program := range programs {
			_, gradient := program(v, s.a)
			papertest.Every(idempotent.Corrected, proportional.Corrected).Same(t,
				"difference of ∇L^(p) from −2RAV where VᵀV = I, p = 1, 2, 3", Scaled(-2, Product(r, s.a, v)), gradient,
				1e-11)
			idempotent.Printed.Same(t, "difference of ∇L^(p) − ∇L^(1) from −4(p−1)RARV", Scaled(-4*float64(p), extra),
				Combine(1, gradient, -1, first), 1e-11)
			delta := 16*square(float64(p)*mat.Norm(extra, 2)) - 8*float64(p)*mat.Trace(Product(first.T(), extra))
			if p > 0 {
				idempotent.Printed.Beyond(t, "share of V with VᵀV = I where Δ is not above 10⁻¹⁰",
					notAbove(delta, 1e-10), 0)
				larger.Printed.Beyond(t, "share of V with VᵀV = I where ‖∇L^(p)‖ is not above ‖∇L^(1)‖ by 10⁻¹⁰",
					notAbove(mat.Norm(gradient, 2), mat.Norm(first, 2)+1e-10), 0)
			}
			idempotent.Corrected.Within(t, "Δ where R = I − VVᵀ is idempotent", math.Abs(delta), 1e-10)
		}
	})
	diagonal := mat.NewDense(2, 1, []float64{math.Sqrt(0.5), math.Sqrt(0.5)})
	_, gradient := programs[0](diagonal, mat.NewDense(2, 2, []float64{1, 0, 0, 0}))
	proportional.Printed.Beyond(t, "‖∇L^(1)‖ at V = (1, 1)ᵀ/√2, where ‖I − VᵀV‖ = 0", mat.Norm(gradient, 2), 1e-12)
}

// Appendix D and section 3.3: at V = (w_1, w_2, √μ w_3) the gradient of order p is p times the gradient of order 1 as μ
// → 0.
func TestHigherOrderLeavesEmptyFunctionsFaster(t *testing.T) {
	larger := papertest.Of(t, "higher-order-larger-gradients")
	escapes := papertest.Of(t, "higher-order-escapes-flat-minima")
	s := newSpectrum(testkit.NewRand(781), 8, 7, 6, 5, 4, 3)
	programs := ommLosses(t)
	ratio := func(p int, mu float64) float64 {
		v := augmented(s.leading(2), Scaled(math.Sqrt(mu), s.mode(2)))
		_, first := programs[0](v, s.a)
		_, gradient := programs[p-1](v, s.a)
		return mat.Norm(gradient, 2) / mat.Norm(first, 2)
	}
	for p := 2; p <= 3; p++ {
		what := fmt.Sprintf("norm of the gradient of order %d over the one of order 1 for a function with μ = 10⁻⁴, "+
			"from %d", p, p)
		papertest.Every(larger.Corrected, escapes.Printed).Within(t, what, math.Abs(ratio(p, 1e-4)-float64(p)), 0.01)
		escapes.Note("order %d: %.2f at μ = 10⁻⁴, %.2f at 0.1, %.2f at 0.3", p, ratio(p, 1e-4), ratio(p, 0.1),
			ratio(p, 0.3))
	}
}

// Under gradient flow μ̇ = 8pλμ(1 − μ)^{2p−1}, so ln(μ/(1−μ)) = 8λt + c for p = 1, and ln(μ/(1−μ)) + 1/(1−μ) +
// 1/(2(1−μ)²) = 16λt + c for p = 2, which starts faster but later has 1 − μ ≈ 1/√(32λt).
func TestNormOfAModeInClosedForm(t *testing.T) {
	claim := papertest.Of(t, "higher-order-near-the-minimum")
	const lambda, start = 1.5, 0.01
	s := newSpectrum(testkit.NewRand(780), lambda, 1, 0.5)
	programs := ommLosses(t)
	var left [2][]float64
	for i, clock := range []func(mu float64) float64{
		func(mu float64) float64 { return math.Log(mu/(1-mu)) / (8 * lambda) },
		func(mu float64) float64 { return (math.Log(mu/(1-mu)) + 1/(1-mu) + 1/(2*square(1-mu))) / (16 * lambda) },
	} {
		Flow(programs[i], Scaled(math.Sqrt(start), s.mode(0)), s.a, 1.5, 0.01, func(time float64, v *mat.Dense) {
			mu := square(mat.Norm(v, 2))
			left[i] = append(left[i], 1-mu)
			if time < 1 { // later, 1 − μ of order 1 is below rounding error
				claim.Corrected.Within(t, "simulated time of a mode's flow from the closed form",
					math.Abs(time-clock(mu)+clock(start)), 1e-4)
			}
		})
	}
	claim.Printed.Beyond(t, "1 − μ of order 2 over 1 − μ of order 1, near the minimum", left[1][149]/left[0][149], 1)
	claim.Note("1 − μ after time 0.2, started at μ = %g: %.2f for p = 1, %.2f for p = 2; after 1.5: %.0e and %.2f",
		start, left[0][20], left[1][20], left[0][149], left[1][149])
}

// The curvatures at W_{1:k} are 4(λ_i + λ_j) w_1 in norms and overlaps, which order p > 1 leaves flat, and 2(λ_i − λ_l)
// Σ_p w_p in rotations. The largest stable step is 2 over the largest curvature: 1/(4λ_1) for p = 1 and 1/(λ_1 − λ_d)
// for p > 1. A quarter of order 1 with three quarters of order 2 also allows the larger step.
func TestHigherOrderAllowsLargerSteps(t *testing.T) {
	claim := papertest.Of(t, "higher-order-can-help")
	const k = 3
	s := newSpectrum(testkit.NewRand(802), 1, 0.9, 0.8, 0.5, 0.3, 0.02)
	turn := s.values[0] - s.values[states-1]
	first := 0.0 // steps of order 1 per factor e of the angle
	for _, c := range []struct {
		orders  []float64
		largest float64 // curvature
	}{
		{[]float64{1}, 8 * s.values[0]},
		{[]float64{0, 1}, 2 * turn},
		{[]float64{0, 0, 1}, 2 * turn},
		{[]float64{1, 1}, 8 * s.values[0]},
		{[]float64{0.25, 0.75}, max(2*s.values[0], 2*turn)},
	} {
		omm, limit := ommlx.OMM{Orders: c.orders}, 2/c.largest
		program, noise := onMatrix(t, omm), Scaled(1e-3, Gaussian(testkit.NewRand(803), states, k))
		start := Combine(1, s.leading(k), 1e-3, noise)
		_, before := program(start, s.a)
		for _, share := range []float64{0.98, 1.02} {
			_, after := program(Descend(program, start, s.a, share*limit, 200, nil), s.a)
			factor := math.Pow(mat.Norm(after, 2)/mat.Norm(before, 2), 1./200)
			claim.Corrected.Within(t, "distance of the gradient's factor in steps of 0.98 and 1.02 times the limit "+
				"from 0.96 and 1.04", math.Abs(factor-2*share+1), 0.015)
		}
		// The rate of the slowest rotation at half the limit, while the angle falls from 1e-7 to 1e-10.
		want := 1 - limit*floats.Sum(c.orders)*(s.values[k-1]-s.values[k])
		from, to := int(math.Log(1e-4)/math.Log(want)), int(math.Log(1e-7)/math.Log(want))
		var angles []float64
		Descend(program, Combine(1, s.leading(k), 1, noise), s.a, limit/2, to+1, func(_ int, v *mat.Dense) bool {
			angles = append(angles, mat.Norm(Product(Columns(s.w, k, states).T(), v), 2))
			return true
		})
		factor := math.Pow(angles[to+1]/angles[from+1], 1/float64(to-from))
		claim.Corrected.Within(t, fmt.Sprintf("factor of the angle in a step of half the limit, %s", omm.Name()),
			math.Abs(factor-want), 5e-3)
		steps := -1 / math.Log(factor)
		if first == 0 {
			first = steps
			continue
		}
		claim.Printed.Within(t, "steps for an angle near the minimum at half the largest stable step, over those for "+
			"order 1, every order and mixture", steps/first, 1)
		claim.Note("%s: %.2f of the steps of order 1", omm.Name(), steps/first)
	}
}
