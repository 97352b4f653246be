package verify

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
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
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 1, -4, 4)
		v := s.gaussian(0.4, 3)
		r := residual(v)
		var losses []float64
		var all []*mat.Dense
		for p, program := range programs {
			sum := mat.NewDense(libraryStates, libraryStates, nil)
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
	})
}

// Appendix D compares orders where R = I − VVᵀ is idempotent; where it says so it prints R = VVᵀ, presumably by a
// slip. The printed difference −4(p−1)RARV is right, but RV = 0, so that it is zero and with it Δ.
func TestOrdersAgreeOnOrthonormalColumns(t *testing.T) {
	idempotent, larger := papertest.Of(t, "idempotent-simplification"), papertest.Of(t, "higher-order-larger-gradients")
	proportional := papertest.Of(t, "omm1-gradient-proportional")
	programs := ommLosses(t)
	notAbove := func(x, bound float64) float64 {
		if x > bound {
			return 0
		}
		return 1
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 1, 0.1, 4)
		v := s.orthonormal(3)
		r := residual(v)
		requireSame(t, r, Product(r, r), 1e-13, "idempotent")
		extra := Product(r, s.a, r, v)
		idempotent.Corrected.Within(t, "RARV where R = I − VVᵀ is idempotent", mat.Norm(extra, 2), 1e-13)
		want := Scaled(-2, Product(r, s.a, v))
		_, first := programs[0](v, s.a)
		for p, program := range programs {
			_, gradient := program(v, s.a)
			papertest.Every(idempotent.Corrected, proportional.Corrected).Same(t,
				"difference of ∇L^(p) from −2RAV where VᵀV = I, p = 1, 2, 3", want, gradient, 1e-11)
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
			require.InDelta(t, square(mat.Norm(first, 2))+delta, square(mat.Norm(gradient, 2)), 1e-9)
		}
	})
	diagonal := mat.NewDense(2, 1, []float64{math.Sqrt(0.5), math.Sqrt(0.5)})
	_, gradient := onMatrix(t, ommlx.OMM{})(diagonal, mat.NewDense(2, 2, []float64{1, 0, 0, 0}))
	require.InDelta(t, 1, mat.Norm(gradient, 2), 1e-12, "VᵀV = 1, and a gradient of norm 1")
	proportional.Printed.Beyond(t, "‖∇L^(1)‖ at V = (1, 1)ᵀ/√2, where ‖I − VᵀV‖ = 0", mat.Norm(gradient, 2), 1e-12)
}

// What is true of the order, in place of appendix D's argument: where VVᵀ = μΠ with a projection Π and e = 1 − μ,
//
//	∇L^(p) = −2 [ (1 − e^{2p})/μ · (I − Π)AV + 2p e^{2p−1} · ΠAV ].
//
// The part that turns the space is (1 − e^{2p})/(1 − e²) ≥ 1 times that of order 1; the part that changes the norms is
// p e^{2p−2} times, which is less than 1 near the minimum: for p = 2 where 1 − 1/√2 < μ < 1 + 1/√2.
func TestGradientOfOrderPIsATwoComponentLaw(t *testing.T) {
	law, larger := papertest.Of(t, "idempotent-simplification"), papertest.Of(t, "higher-order-larger-gradients")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		p := drawOrder(t)
		s := drawSpectrum(t, libraryStates, 1, -4, 4)
		mu := rapid.Float64Range(0.05, 2.5).Draw(t, "mu")
		e := 1 - mu
		unit := s.orthonormal(3)
		v := Scaled(math.Sqrt(mu), unit)
		inside := Product(unit, unit.T(), s.a, v)
		outside := Combine(1, Product(s.a, v), -1, inside)
		want := Combine(-2*(1-math.Pow(e, float64(2*p)))/mu, outside, -4*float64(p)*math.Pow(e, float64(2*p-1)), inside)
		_, gradient := programs[p-1](v, s.a)
		papertest.Every(law.Corrected, larger.Corrected).Same(t,
			"difference of ∇L^(p) at VVᵀ = μΠ from the two-component law", want, gradient, 1e-10)

		_, first := programs[0](v, s.a)
		part := func(projector, g *mat.Dense) float64 { return mat.Norm(Product(projector, g), 2) }
		if rest := residual(unit); mu < 2 {
			larger.Corrected.AtMost(t, "shortfall of the turning part against OMM-1, 0 < μ < 2", part(rest, first),
				part(rest, gradient), 1e-10)
		}
		norms, higher := part(projector(unit), first), part(projector(unit), gradient)
		if p == 2 && norms > 1e-6 && math.Abs(math.Abs(e)-math.Sqrt(0.5)) > 1e-6 {
			require.Equal(t, math.Abs(e) > math.Sqrt(0.5), higher > norms, "changes norms faster")
			larger.Printed("shortfall of the part that changes norms, p = 2, relative", max(0, 1-higher/norms), 1e-10)
		}
	})
}

// Appendix D and section 3.3: a higher order has an additional gradient signal that can help to escape flat minima. It
// has where a function is nearly empty: at V = (w_1, w_2, √μ w_3) the gradient of order p is p times that of order 1 as
// μ → 0.
func TestHigherOrderLeavesEmptyFunctionsFaster(t *testing.T) {
	larger, escapes := papertest.Of(t, "higher-order-larger-gradients"), papertest.Of(t, "higher-order-escapes-flat-minima")
	s := newSpectrum(testkit.NewRand(781), 8, 7, 6, 5, 4, 3)
	programs := ommLosses(t)
	ratio := func(p int, mu float64) float64 {
		v := beside(s.leading(2), Scaled(math.Sqrt(mu), s.mode(2)))
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

// Appendix D and section 3.3: near the minimum a higher order has no additional gradient. At W_{1:k} itself its second
// derivative in a norm is zero.
func TestMinimumIsFlatterAtHigherOrder(t *testing.T) {
	claim := papertest.Of(t, "higher-order-near-the-minimum")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k, h = libraryStates, 3, 1e-3
		p := drawOrder(t)
		s := drawSpectrum(t, d, d, 0.1, 4)
		i, l := rapid.IntRange(0, k-1).Draw(t, "i"), rapid.IntRange(k, d-1).Draw(t, "l")
		// The second derivative of v_i along w, by differences of the gradient, whose error is of order h².
		curvature := func(along int) float64 {
			change := mat.NewDense(d, k, nil)
			change.SetCol(i, mat.Col(nil, along, s.w))
			_, ahead := programs[p-1](Combine(1, s.leading(k), h, change), s.a)
			_, behind := programs[p-1](Combine(1, s.leading(k), -h, change), s.a)
			return mat.Trace(Product(change.T(), Combine(1, ahead, -1, behind))) / (2 * h)
		}
		norm := 0.0
		if p == 1 {
			norm = 8 * s.values[i]
		}
		claim.Corrected.Within(t, "second derivative in a norm, from 8λ_i (p = 1) or 0 (p > 1)",
			math.Abs(norm-curvature(i)), 1e-3)
		claim.Corrected.Within(t, "second derivative in a turn, from 2(λ_i − λ_l)",
			math.Abs(2*(s.values[i]-s.values[l])-curvature(l)), 1e-3)
	})
}

// How fast the norm of a mode converges, in closed form: under gradient flow μ̇ = 8pλμ(1 − μ)^{2p−1}, so that
//
//	p = 1:  ln(μ/(1−μ)) = 8λt + c,
//	p = 2:  ln(μ/(1−μ)) + 1/(1−μ) + 1/(2(1−μ)²) = 16λt + c.
//
// Order 1 converges exponentially; order 2 starts faster and then has 1 − μ ≈ 1/√(32λt) left.
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
			if time < 1 { // later, 1 − μ of order 1 is lost in round-off
				claim.Corrected.Within(t, "simulated time of a mode's flow from the closed form",
					math.Abs(time-clock(mu)+clock(start)), 1e-4)
			}
		})
	}
	require.Less(t, left[1][20], left[0][20], "order 2 is ahead at first")
	require.Greater(t, left[1][149], 1e3*left[0][149], "and far behind near the end")
	claim.Printed.Beyond(t, "1 − μ of order 2 over that of order 1, near the minimum", left[1][149]/left[0][149], 1)
	claim.Note("1 − μ after time 0.2, started at μ = %g: %.2f for p = 1, %.2f for p = 2; after 1.5: %.0e and %.2f",
		start, left[0][20], left[1][20], left[0][149], left[1][149])
}
