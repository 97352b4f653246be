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

// Theorem 1 for k above the rank r. The paper prints V_{1:r}V_{1:r}ᵀ = W_{1:r}W_{1:r}ᵀ for the first r columns of V,
// and squared norms whose first entries are 1.
func TestMinimisersAboveTheRank(t *testing.T) {
	printed := papertest.Of(t, "theorem1-minimiser")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const k = 3
		p := drawOrder(t)
		rank := rapid.IntRange(0, 2).Draw(t, "rank")
		values := append([]float64{3, 2}[:rank:rank], make([]float64, libraryStates-rank)...)
		s := newSpectrum(drawRand(t), values...)
		// N is diag(5, 0.3, …) on the first k − r vectors of the kernel.
		v := Product(Columns(s.w, rank, k), diagonal([]float64{5, 0.3, 2}[:k-rank], math.Sqrt))
		if rank > 0 {
			v = augmented(s.leading(rank), v)
		}
		v = Product(v, Orthonormal(s.rng, k, k))
		loss, gradient := programs[p-1](v, s.a)
		printed.Corrected.Within(t, "excess of the loss at VVᵀ = W_{1:r}W_{1:r}ᵀ + N over the minimum",
			math.Abs(loss+floats.Sum(values)), 1e-8)
		printed.Corrected.Within(t, "gradient there", mat.Norm(gradient, 2), 1e-8)
		if rank > 0 {
			other := Combine(1, projector(Columns(v, 0, rank)), -1, projector(s.leading(rank)))
			printed.Printed("‖V_{1:r}V_{1:r}ᵀ − W_{1:r}W_{1:r}ᵀ‖ at minimisers for k > r", mat.Norm(other, 2), 1e-3)
		}
	})
}

// Section 2.2 says that VVᵀ = W_{1:k}W_{1:k}ᵀ for every minimiser.
func TestTieAtTheCutHasManyMinimisers(t *testing.T) {
	claim := papertest.Of(t, "omm-minimiser")
	s := newSpectrum(testkit.NewRand(710), 4, 2, 2, 1, 0.5, 0.25)
	for _, program := range ommLosses(t) {
		for _, angle := range []float64{0, 0.4, math.Pi / 2} {
			turned := Combine(math.Cos(angle), s.mode(1), math.Sin(angle), s.mode(2))
			loss, gradient := program(augmented(s.leading(1), turned), s.a)
			claim.Corrected.Within(t, "excess over the minimum at the leading spaces for λ_k = λ_{k+1}",
				math.Abs(loss+6), 1e-12)
			claim.Corrected.Within(t, "gradient there", mat.Norm(gradient, 2), 1e-12)
			claim.Printed("‖VVᵀ − W_{1:k}W_{1:k}ᵀ‖ at another leading space for λ_k = λ_{k+1}",
				mat.Norm(Combine(1, projector(turned), -1, projector(s.mode(1))), 2), 1e-3)
		}
	}
}

// Theorem 1: from any start the minimum is minus the sum of the leading m = min(k, rank) eigenvalues, and there VVᵀ is
// the projection onto their eigenvectors w_1, …, w_m. The excess of the loss over the minimum bounds the error of V. In
// the theorem's proof the excess is a sum of two non-negative parts: one bounds the angle between the spaces,
// sin² ≤ excess/(λ_m − λ_{m+1}), the other the squared norms μ of the modes, (1−μ)^{2p} ≤ excess/λ_m.
func TestMinimiserSpansTheLeadingSpace(t *testing.T) {
	value, minimiser := papertest.Of(t, "theorem1-value"), papertest.Of(t, "omm-minimiser")
	above, spurious := papertest.Of(t, "theorem1-minimiser"), papertest.Of(t, "no-spurious-minima")
	positive := papertest.Every(value.Printed, spurious.Corrected)
	for name, c := range map[string]struct {
		k, m            int
		reached, record papertest.Measure
		eigenvalues     []float64
	}{
		"k below the rank":    {3, 3, positive, minimiser.Corrected, []float64{4, 3, 2, 1, 0.5, 0.25, 0.1}},
		"repeated eigenvalue": {3, 3, positive, minimiser.Corrected, []float64{4, 2, 2, 1, 0.5, 0.25, 0.1}},
		"k above the rank":    {5, 3, value.Printed, above.Corrected, []float64{4, 3, 2, 0, 0, 0, 0}},
	} {
		for p := 1; p <= 3; p++ {
			t.Run(fmt.Sprintf("%s, p=%d", name, p), func(t *testing.T) {
				program := onMatrix(t, ommlx.OMM{Orders: ommlx.Order(p)})
				for seed := range uint64(4) {
					s := newSpectrum(testkit.NewRand(30+seed), c.eigenvalues...)
					loss, v := s.minimise(t, program, 0.3+float64(seed)/5, c.k)
					excess := loss + s.top(c.m)
					c.reached.Within(t, "distance from −Σ λ_i where L-BFGS ends, p = 1, 2, 3", math.Abs(excess), 1e-7)

					excess = max(excess, 1e-14)
					angle := math.Sqrt(excess / (s.values[c.m-1] - s.values[c.m]))
					norm := math.Pow(excess/s.values[c.m-1], 1/float64(2*p))
					outside, left := Product(residual(Basis(v)), s.w), Product(residual(v), s.w)
					for i := range c.m {
						c.record.Within(t, "part of w_i outside the span of V there, over the bound from the excess "+
							"of the loss", mat.Norm(outside.ColView(i), 2)/(2*angle), 1)
						c.record.Within(t, "‖(I − VVᵀ)w_i‖, over its bound",
							mat.Norm(left.ColView(i), 2)/(2*norm+3*angle), 1)
					}
				}
			})
		}
	}
}

// Section 2.2.3: "the OMM cannot be applied to non-PSD symmetric matrices". The loss is unbounded below, but under
// gradient flow E = I − VᵀV obeys, for every symmetric A and every order,
//
//	Ė = −4 Σ_{i<2p} E^i B E^{2p−1−i} = −4 (NE + ENᵀ),  N = Σ_{i<p} E^i B E^{2p−2−i},  B = VᵀAV,
//
// a congruence, which preserves the signs of E's eigenvalues: from a start with VᵀV ⪯ I the un-nested OMM keeps
// VᵀV ⪯ I, does not diverge, and converges to the leading space.
func TestFlowStaysWithinTheUnitBall(t *testing.T) {
	claim := papertest.Of(t, "no-omm-without-psd")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const k = 3
		p := drawOrder(t)
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(0.5, k)
		_, gradient := programs[p-1](v, s.a)
		e, b := defect(Gram(v)), Product(v.T(), s.a, v)
		n := mat.NewDense(k, k, nil)
		for i := range p {
			n.Add(n, Product(Power(e, i), b, Power(e, 2*p-2-i)))
		}
		// V̇ = −∇L, so Ė = −(V̇ᵀV + VᵀV̇) = ∇LᵀV + Vᵀ∇L.
		velocity := Product(gradient.T(), v)
		claim.Corrected.Same(t, "relative difference of Ė and −4(NE + ENᵀ)",
			Combine(-4, Product(n, e), -4, Product(e, n.T())), Combine(1, velocity, 1, velocity.T()), 1e-10)
	})

	const sum = 3.3 // λ_1 + λ_2 + λ_3
	flows, reached := 0.0, 0.0
	for _, program := range programs {
		for seed := range uint64(3) {
			s := newSpectrum(testkit.NewRand(720+seed), 2, 1, 0.3, -0.5, -1, -2)
			end := Flow(program, Scaled(0.99, s.orthonormal(3)), s.a, 12, 0.02, func(_ float64, v *mat.Dense) {
				claim.Corrected.AtMost(t, "excess of VᵀV's eigenvalues over 1 along the flow, p = 1, 2, 3",
					eigenvaluesOf(t, Gram(v))[2], 1, 1e-6)
			})
			loss, _ := program(end, s.a)
			claim.Corrected.Within(t, "distance from −Σ λ_i of the loss where the flow ends, p = 1, 2, 3",
				math.Abs(loss+sum), 1e-5)
			if flows++; math.Abs(loss+sum) <= 1e-5 {
				reached++
			}
		}
	}
	claim.Printed.Beyond(t, "share of flows from ‖V‖ = 0.99, A indefinite, that end at the leading space",
		reached/flows, 0)

}

// Section 2.2.3 says that the penalty preserves the global optima (see TestMinimisersAboveTheRank).
func TestPenaltyKeepsSomeMinimisersAboveTheRank(t *testing.T) {
	claim := papertest.Of(t, "penalty-keeps-optima")
	const k, kappa = 3, 0.5
	plain := onMatrix(t, ommlx.OMM{})
	penalised := onMatrix(t, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa})
	rapid.Check(t, func(t *rapid.T) {
		mu := rapid.Float64Range(0, 3).Draw(t, "squared norm in the kernel")
		s := newSpectrum(drawRand(t), 3, 2, 0, 0, 0, 0)
		v := augmented(s.leading(2), Scaled(math.Sqrt(mu), s.mode(2)))
		loss, _ := plain(v, s.a)
		claim.Corrected.Within(t, "excess over the minimum at W_{1:r}W_{1:r}ᵀ + μuuᵀ, k = r + 1, without the penalty",
			math.Abs(loss+5), 1e-12)
		loss, _ = penalised(v, s.a)
		claim.Corrected.Within(t, "the same with it, less κ(1 − μ)²",
			math.Abs(loss+5+kappa*k-kappa*square(1-mu)), 1e-12)
		claim.Printed("κ(1 − μ)², by which the penalty lifts minimisers with a squared norm μ ≠ 1 in the kernel",
			loss+5+kappa*k, 1e-3)
	})

	// For k up to the rank W_{1:k} remains a minimiser.
	for seed := range uint64(2) {
		s := newSpectrum(testkit.NewRand(795+seed), 3, 2, 1, 0.5, 0, 0)
		loss, v := s.minimise(t, penalised, 0.4, k)
		claim.Printed.Agree(t, "distance of the minimum from −Σ_{i≤k} λ_i − κk, k < r", -6-kappa*k, loss, 1e-8)
		claim.Printed.Same(t, "of VVᵀ from W_{1:k}W_{1:k}ᵀ", projector(s.leading(k)), projector(v), 1e-4)
	}
}

// Section 2.2 says that for positive semidefinite A every local minimum is global. For singular A this is false: for
// A = diag(1, 0) and v = (ε, c),
//
//	L(v) = (c² + ε² − 2) ε²,
//
// so all (0, c) with c² > 2 are local minima with loss 0, while the minimum is −1, and descent from a nearby start
// stays there. For A + δI each has a descent direction.
func TestSingularMatrixHasSpuriousMinima(t *testing.T) {
	claim := papertest.Of(t, "no-spurious-minima")
	program := onMatrix(t, ommlx.OMM{})
	a := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.Float64Range(-0.05, 0.05).Draw(t, "epsilon")
		c := rapid.Float64Range(1.45, 3).Draw(t, "c")
		loss, _ := program(mat.NewDense(2, 1, []float64{epsilon, c}), a)
		claim.Corrected.Within(t, "loss near (0, c), c² > 2, against (c² + ε² − 2)ε²",
			math.Abs((c*c+epsilon*epsilon-2)*square(epsilon)-loss), 1e-14)
		claim.Corrected.AtMost(t, "how far it is below 0, the loss at (0, c)", 0, loss, 0)
	})
	start := mat.NewDense(2, 1, []float64{0.1, 1.7})
	loss, v := minimise(t, program, start, a)
	claim.Printed.Beyond(t, "excess over the minimum where descent from (0.1, 1.7) ends, A = diag(1, 0)", loss+1, 1e-3)
	require.InDelta(t, 0, loss, 1e-12)
	require.Less(t, math.Abs(v.At(0, 0)), 1e-6)
	require.Greater(t, v.At(1, 0), math.Sqrt2)

	loss, _ = minimise(t, program, start, Combine(1, a, 1e-2, Eye(2)))
	claim.Corrected.Within(t, "the same for diag(1.01, 0.01)", math.Abs(loss+1.01), 1e-10)
}

// For positive definite A no local minimum is spurious, for every order, which is more than the paper claims. At a
// critical point the diagonal of Vᵀ∇L in the eigenbasis of VᵀV is zero, and it equals
//
//	−4p (1 − σ_a)^{2p−1} B_aa,  B = VᵀAV,
//
// with B_aa > 0 wherever σ_a > 0, so the squared norms σ_a are 0 or 1. Then ∇L = −2(I − VVᵀ)AV, so only eigenspaces
// remain.
func TestCriticalPointsArePartialIsometries(t *testing.T) {
	claim := papertest.Of(t, "no-spurious-minima")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		p := drawOrder(t)
		s := drawSpectrum(t, d, d, 0.1, 4)
		sigma := drawNumbers(t, k, 0, 3, "sigma")
		basis, q := s.orthonormal(k), Orthonormal(s.rng, k, k)
		v := Product(basis, diagonal(sigma, math.Sqrt), q.T()) // VᵀV = Q diag(σ) Qᵀ
		_, gradient := programs[p-1](v, s.a)
		along, b := Product(q.T(), v.T(), gradient, q), Product(q.T(), v.T(), s.a, v, q)
		for i := range k {
			want := -4 * float64(p) * math.Pow(1-sigma[i], float64(2*p-1)) * b.At(i, i)
			claim.Corrected.Within(t, "relative difference of diag Vᵀ∇L and −4p(1 − σ)^{2p−1} diag VᵀAV",
				math.Abs(want-along.At(i, i))/(1+mat.Norm(along, 2)), 1e-10)
		}

		_, gradient = programs[p-1](basis, s.a)
		claim.Corrected.Same(t, "of ∇L and −2(I − VVᵀ)AV at orthonormal V",
			Combine(-2, Product(s.a, basis), 2, Product(basis, basis.T(), s.a, basis)), gradient, 1e-11)
	})
}
