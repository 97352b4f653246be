package verify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// Theorem 1: from any start the minimum is minus the sum of the leading m = min(k, rank) eigenvalues, and there VVᵀ
// projects onto w_1, …, w_m. The excess of the loss bounds the angle between the spaces, sin² ≤ excess/(λ_m − λ_{m+1}),
// and the squared norms μ of the modes, (1−μ)^{2p} ≤ excess/λ_m.
func TestMinimiserSpansTheLeadingSpace(t *testing.T) {
	value, minimiser := papertest.Of(t, "theorem1-value"), papertest.Of(t, "omm-minimiser")
	above, spurious := papertest.Of(t, "theorem1-minimiser"), papertest.Of(t, "no-spurious-minima")
	positive, below := papertest.Every(value.Printed, spurious.Corrected),
		papertest.Every(minimiser.Corrected, above.Corrected)
	for _, c := range []struct {
		k               int
		reached, record papertest.Measure
		eigenvalues     []float64
	}{
		{3, positive, below, []float64{4, 3, 2, 1, 0.5, 0.25, 0.1}},         // k below the rank
		{3, positive, below, []float64{4, 2, 2, 1, 0.5, 0.25, 0.1}},         // a repeated eigenvalue
		{5, value.Printed, above.Corrected, []float64{4, 3, 2, 0, 0, 0, 0}}, // k above the rank
	} {
		for i := range 12 {
			const m = 3
			p, seed := 1+i%3, i/3
			s := newSpectrum(testkit.NewRand(30+uint64(seed)), c.eigenvalues...)
			loss, v := s.minimise(order(p), 0.3+float64(seed)/5, c.k)
			excess := loss + s.top(m)
			c.reached.Within(t, "distance from −Σ λ_i where L-BFGS ends, p = 1, 2, 3", math.Abs(excess), 1e-7)

			excess = max(excess, 1e-14)
			angle := math.Sqrt(excess / (s.values[m-1] - s.values[m]))
			norm := math.Pow(excess/s.values[m-1], 1/float64(2*p))
			outside, left := Product(residual(OrthonormalBasis(v)), s.w), Product(residual(v), s.w)
			for i := range m {
				c.record.Within(t,
					"part of w_i outside the span of V there, over the bound from the excess of the loss",
					mat.Norm(outside.ColView(i), 2)/(2*angle), 1)
				c.record.Within(t, "‖(I − VVᵀ)w_i‖, over its bound", mat.Norm(left.ColView(i), 2)/(2*norm+3*angle), 1)
			}
		}
	}
}

// Theorem 1 for k above the rank r prints V_{1:r}V_{1:r}ᵀ = W_{1:r}W_{1:r}ᵀ for the first r columns of V. Section 2.2.3
// says that the penalty preserves the global optima.
func TestMinimisersAboveTheRank(t *testing.T) {
	theorem, penalty := papertest.Of(t, "theorem1-minimiser"), papertest.Of(t, "penalty-keeps-optima")
	const k, kappa = 3, 0.5
	penalised := onMatrix(ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa})
	rapid.Check(t, func(t *rapid.T) {
		p, rank := drawOrder(t), rapid.IntRange(1, 2).Draw(t, "rank")
		values := make([]float64, states)
		copy(values, []float64{3, 2}[:rank])
		s, mu := newSpectrum(drawRand(t), values...), drawNumbers(t, k-rank, 0, 3) // squared norms in the kernel
		n := Product(Columns(s.w, rank, k), diagonal(mu, math.Sqrt))
		v := Product(augmented(s.leading(rank), n), RandomOrthonormal(s.rng, k, k))
		attains(t, papertest.Every(theorem.Corrected, penalty.Corrected),
			"excess of the loss at VVᵀ = W_{1:r}W_{1:r}ᵀ + N over the minimum", order(p), v, s.a, -s.top(rank), 1e-12)
		other := Difference(projector(Columns(v, 0, rank)), projector(s.leading(rank)))
		theorem.Printed("‖V_{1:r}V_{1:r}ᵀ − W_{1:r}W_{1:r}ᵀ‖ at minimisers for k > r", mat.Norm(other, 2), 1e-3)

		loss, _ := penalised(v, s.a)
		lifted, distance := loss+s.top(rank)+kappa*k, floats.Distance(mu, []float64{1, 1}[:k-rank], 2)
		penalty.Corrected.Near(t, "the same with the penalty, less κ‖N − I‖²", kappa*square(distance), lifted, 1e-12)
		penalty.Printed("κ‖N − I‖², by which the penalty lifts a minimiser", lifted, 1e-3)
	})
	for seed := range uint64(2) { // for k up to the rank W_{1:k} remains a minimiser
		s := newSpectrum(testkit.NewRand(795+seed), 3, 2, 1, 0.5, 0, 0)
		loss, v := s.minimise(penalised, 0.4, k)
		penalty.Printed.Equal(t, "distance of the minimum from −Σ_{i≤k} λ_i − κk, k < r", -6-kappa*k, loss, 1e-8)
		penalty.Printed.EqualMatrix(t, "of VVᵀ from W_{1:k}W_{1:k}ᵀ", projector(s.leading(k)), projector(v), 1e-4)
	}
}

// Section 2.2 says that VVᵀ = W_{1:k}W_{1:k}ᵀ for every minimiser.
func TestTieAtTheCutHasManyMinimisers(t *testing.T) {
	claim := papertest.Of(t, "omm-minimiser")
	s := newSpectrum(testkit.NewRand(710), 4, 2, 2, 1, 0.5, 0.25)
	for p := range 3 {
		for _, angle := range []float64{0, 0.4, math.Pi / 2} {
			turned := Sum(Scaled(math.Cos(angle), s.mode(1)), Scaled(math.Sin(angle), s.mode(2)))
			attains(t, claim.Corrected, "excess over the minimum at the leading spaces for λ_k = λ_{k+1}", order(p+1),
				augmented(s.leading(1), turned), s.a, -6, 1e-12)
			claim.Printed("‖VVᵀ − W_{1:k}W_{1:k}ᵀ‖ at another leading space for λ_k = λ_{k+1}",
				mat.Norm(Difference(projector(turned), projector(s.mode(1))), 2), 1e-3)
		}
	}
}

// For A = diag(1, 0) and v = (ε, c) the loss is (c² + ε² − 2)ε², so all (0, c) with c² > 2 are local minima with loss
// 0, while the minimum is −1. For A + δI each has a descent direction.
func TestSingularMatrixHasSpuriousMinima(t *testing.T) {
	claim, a := papertest.Of(t, "no-spurious-minima"), mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	rapid.Check(t, func(t *rapid.T) {
		epsilon, c := drawNumber(t, -0.05, 0.05), drawNumber(t, 1.45, 3)
		loss, want := omm(1, mat.NewDense(2, 1, []float64{epsilon, c}), a), (c*c+epsilon*epsilon-2)*square(epsilon)
		claim.Corrected.Near(t, "loss near (0, c), c² > 2, against (c² + ε² − 2)ε²", want, loss, 1e-14)
		claim.Corrected.Within(t, "how far it is below 0, the loss at (0, c)", max(0, -loss), 0)
	})
	start := mat.NewDense(2, 1, []float64{0.1, 1.7})
	loss, _ := testkit.Must2(Minimise(order(1), start, a, 2000))
	claim.Printed.Beyond(t, "excess over the minimum where descent from (0.1, 1.7) ends, A = diag(1, 0)", loss+1, 1e-3)
	loss, _ = testkit.Must2(Minimise(order(1), start, Sum(a, Scaled(1e-2, IdentityMatrix(2))), 2000))
	claim.Corrected.Near(t, "the same for diag(1.01, 0.01)", -1.01, loss, 1e-10)
}

// At a critical point the diagonal of Vᵀ∇L in the eigenbasis of VᵀV is zero, and it equals −4p (1 − σ_a)^{2p−1} B_aa,
// B = VᵀAV, so for positive definite A the squared norms σ_a are 0 or 1. Then ∇L = −2(I − VVᵀ)AV, and only eigenspaces
// remain. Section 2.2.3: under gradient flow E = I − VᵀV obeys Ė = −4 (NE + ENᵀ), N = Σ_{i<p} E^i B E^{2p−2−i}, for
// every symmetric A: a congruence, which preserves the signs of the eigenvalues of E.
func TestCriticalPointsArePartialIsometries(t *testing.T) {
	corrected, flow := papertest.Of(t, "no-spurious-minima").Corrected, papertest.Of(t, "no-omm-without-psd").Corrected
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		p, sigma := drawOrder(t), drawNumbers(t, k, 0, 3)
		basis, q := s.orthonormal(k), RandomOrthonormal(s.rng, k, k)
		v := Product(basis, diagonal(sigma, math.Sqrt), q.T()) // VᵀV = Q diag(σ) Qᵀ
		_, gradient := order(p)(v, s.a)
		alongV, b := Product(v.T(), gradient), Product(v.T(), s.a, v) // V̇ = −∇L, so Ė = ∇LᵀV + Vᵀ∇L
		along := Product(q.T(), alongV, q)
		for i := range k {
			want := -4 * float64(p) * math.Pow(1-sigma[i], float64(2*p-1)) * mat.Inner(q.ColView(i), b, q.ColView(i))
			corrected.Within(t, "relative difference of diag Vᵀ∇L and −4p(1 − σ)^{2p−1} diag VᵀAV",
				math.Abs(want-along.At(i, i))/(1+mat.Norm(along, 2)), 1e-10)
		}
		e, n := defect(Gram(v)), mat.NewDense(k, k, nil)
		for i := range p {
			n.Add(n, Product(Power(e, i), b, Power(e, 2*p-2-i)))
		}
		flow.EqualMatrix(t, "relative difference of Ė and −4(NE + ENᵀ)",
			Difference(Scaled(-4, Product(n, e)), Scaled(4, Product(e, n.T()))), Sum(alongV, alongV.T()), 1e-10)
		_, gradient = order(p)(basis, s.a)
		corrected.EqualMatrix(t, "of ∇L and −2(I − VVᵀ)AV at orthonormal V",
			Scaled(-2, Product(residual(basis), s.a, basis)), gradient, 1e-11)
		if k < states {
			before := omm(p, Columns(s.w, 1, k+1), s.a)
			sin, cos := math.Sincos(drawNumber(t, 0, 1))
			s.w.SetCol(1, Sum(Scaled(cos, s.mode(1)), Scaled(sin, s.mode(0))).RawMatrix().Data)
			corrected.Equal(t,
				"of the loss's fall as w_2 of V = (w_2, …, w_{k+1}) turns by θ to w_1 and (λ_1 − λ_2) sin² θ",
				(s.values[0]-s.values[1])*square(sin), before-omm(p, Columns(s.w, 1, k+1), s.a), 1e-11)
		}
	})
}

// Theorem 2 prints V = W for the minimiser, with V d×k and W d×d. The least loss is −Σ_i m_i λ_i.
func TestJointMinimisersUpToSign(t *testing.T) {
	claim, alpha := papertest.Of(t, "theorem2"), []float64{0.5, 2, 1}
	rapid.Check(t, func(t *rapid.T) {
		joint := onMatrix(ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(drawOrder(t)), Weights: alpha})
		values := rapid.SampledFrom([][]float64{{3, 2, 0}, {3, 2, 1, 0.5, 0}}).Draw(t, "eigenvalues")
		lengths := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 1}), 3, 3).Draw(t, "signs")
		if len(values) == 3 {
			lengths[2] = drawNumber(t, -2, 2)
			claim.Printed("‖v_kv_kᵀ − w_kw_kᵀ‖ at minimisers for k = d, λ_d = 0", math.Abs(square(lengths[2])-1), 1e-3)
		}
		s := newSpectrum(drawRand(t), values...)
		attains(t, claim.Corrected, "excess over −Σ_i m_i λ_i at ±w_1, ±w_2, …, p = 1, 2, 3; for k = d, λ_d = 0 "+
			"with any last length", joint, Product(s.leading(3), mat.NewDiagDense(3, lengths)), s.a,
			-floats.Dot(JointWeights(alpha), values[:3]), 1e-9)
	})
}

// Theorem 2, for joint nesting of any order and for LoRA: the minimiser is the eigenvectors in order, with norm 1 (OMM)
// or √λ (LoRA). The printed pseudocode gives norm 1/√k. Sequential nesting is not the gradient of a function, so plain
// descent is used.
func TestJointMinimiserIsOrdered(t *testing.T) {
	theorem, sequential := papertest.Of(t, "theorem2").Corrected, papertest.Of(t, "seq-converges").Printed
	lora, pseudocode := papertest.Of(t, "lora-optimum").Printed, papertest.Of(t, "pseudocode-joint").Corrected
	const k, ends, lengths = 3, "distance from ±w_i where L-BFGS ends, p = ", "distance of f_i from ±√λ_i w_i with "
	alpha := []float64{0.2, 0.5, 1}
	shrunk := func(float64) float64 { return 1 / math.Sqrt(k) }
	for _, c := range []struct {
		objective ommlx.Objective
		norm      func(lambda float64) float64
		descend   bool
		record    papertest.Measure
		what      string
		tolerance float64
	}{
		{ommlx.OMM{Nesting: ommlx.Joint}, one, false, theorem, ends + "1", 1e-4},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, one, false, theorem, ends + "1", 1e-4},
		// The minimum is flat: the gradient falls as the third power of the distance.
		{ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(2)}, one, false, theorem, ends + "2", 5e-3},
		{JointPseudocode, shrunk, false, pseudocode, "distance of the minimiser from ±w_i/√k", 1e-4},
		{ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha}, math.Sqrt, false, lora, lengths + "joint nesting", 1e-4},
		{ommlx.OMM{Nesting: ommlx.Sequential}, one, true, sequential, "distance from ±w_i where descent ends", 1e-6},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, math.Sqrt, true, lora, lengths + "sequential nesting", 1e-6},
	} {
		for seed := range uint64(3) {
			s := newSpectrum(testkit.NewRand(40+seed), 4, 3, 2, 1, 0.5, 0.25)
			var v *mat.Dense
			if c.descend {
				v = Descend(onMatrix(c.objective), s.gaussian(0.3, k), s.a, 0.02, 3000, nil)
			} else {
				_, v = s.minimise(onMatrix(c.objective), 0.4, k)
			}
			c.record.Within(t, c.what, s.fromEigenvectors(v, c.norm), c.tolerance)
		}
	}
}

// Theorem 2, footnote: for repeated eigenvalues the minimiser of joint nesting has orthonormal columns in the
// eigenspaces.
func TestJointMinimiserOfARepeatedEigenvalue(t *testing.T) {
	claim := papertest.Of(t, "theorem2-degenerate")
	for _, k := range []int{2, 3, 4} { // part of the eigenspace of 2, all of it, and one more
		s := newSpectrum(testkit.NewRand(740), 4, 2, 2, 1, 0.5, 0.25)
		_, v := s.minimise(onMatrix(ommlx.OMM{Nesting: ommlx.Joint}), 0.4, k)
		claim.Corrected.EqualMatrix(t, "relative distance of VᵀV from I where L-BFGS ends", IdentityMatrix(k), Gram(v),
			1e-4)
		two := Columns(s.w, 1, 3)
		for i, space := range []*mat.Dense{s.mode(0), two, two, s.mode(3)}[:k] {
			claim.Corrected.Within(t, "largest part of a column outside of its eigenspace",
				mat.Norm(Product(residual(space), Columns(v, i, i+1)), 2), 1e-4)
		}
		if k == 2 {
			claim.Printed.Beyond(t, "part of the cut eigenspace that the columns do not span",
				mat.Norm(Product(residual(Columns(v, 1, 2)), two), 2), 0.9)
		}
	}
}

// Section 2.3.2: for any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with
// loss −Σ λ_i²; functions beyond the number of positive eigenvalues vanish.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	printed := papertest.Of(t, "lora-optimum").Printed
	for k, values := range map[int][]float64{
		2: {4, 3, 2, 1, -3, -5}, // fewer than the positive ones
		3: {4, 2, 0, -1, -3, -5},
		4: {-2, -4, -4, -6, -6, -6}, // the oscillator
		5: {3, 1, 1, -1, -1, -1},    // the oscillator + 5 I
	} {
		s := newSpectrum(testkit.NewRand(750), values...)
		loss, v := s.minimise(onMatrix(ommlx.LoRA{}), 0.5, k)
		w, positive := s.leading(k), s.kept(k)
		printed.Equal(t, "relative distance of the minimum from −Σ λ_i² over the leading positive eigenvalues",
			-squaredNorm(positive), loss, 1e-9)
		printed.EqualMatrix(t, "of VVᵀ from Σ λ_i w_iw_iᵀ over them", Product(w, positive, w.T()), projector(v), 2e-4)
	}
}
