package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Theorem 1's proof sketch: the loss depends on VVᵀ only, so L(VQ) = L(V) and ∇L(VQ) = ∇L(V)Q for orthogonal Q, and it
// is at least −Σ_{i≤k} λ_i. The sketch prints "such that PᵀP" for PᵀP = I_k, and equality at VVᵀ = WWᵀ, which is I_d,
// for W_{1:k}W_{1:k}ᵀ.
func TestLossSeesTheProjectorOnly(t *testing.T) {
	proof := claims.Of(t, "theorem1-proof")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		p, k := drawOrder(t), drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, 0, 0.1, 4)
		v := Scaled(0.5, Gaussian(s.rng, libraryStates, k))
		q := Orthonormal(s.rng, k, k)
		loss, gradient := programs[p-1](v, s.a)
		turned, turnedGradient := programs[p-1](Product(v, q), s.a)
		ommtest.Within(t, proof.Corrected, "relative difference of L(VQ) and L(V)",
			ommtest.Difference(loss, turned), 1e-10)
		ommtest.Within(t, proof.Corrected, "of ∇L(VQ) and ∇L(V)Q",
			matrixDifference(Product(gradient, q), turnedGradient), 1e-10)
		require.GreaterOrEqual(t, loss, -s.top(k)-1e-12*(1+math.Abs(loss)))
	})
}

// Appendix A, proof of Theorem 1: with VVᵀ = PΣPᵀ the loss is L^(p) + tr A = tr(P(I−Σ)^{2p}PᵀA) + tr(P_⊥ᵀAP_⊥), of
// which the first part is at least 0 and the second at least Σ_{i>k} λ_i. Where P = W_{1:k}Qᵀ (printed with V for
// W_{1:k}) the first is
//
//	Σ_{ℓ,m} (1 − μ_ℓ)^{2p} Q_ℓm² λ_m,
//
// a number; printed is Σ_ℓ (1 − μ_ℓ)^{2p} λ_ℓ q_ℓq_ℓᵀ, a matrix.
func TestPartsOfTheProofOfTheorem1(t *testing.T) {
	value := claims.Of(t, "theorem1-value")
	proof := claims.Of(t, "theorem1-proof")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		p := drawOrder(t)
		s := drawSpectrum(t, d, 0, 0.1, 4)
		mu := make([]float64, k)
		for i := range mu {
			mu[i] = rapid.Float64Range(0, 3).Draw(t, "mu")
		}
		basis := Orthonormal(s.rng, d, d)
		parts := func(basis *mat.Dense) (inside, outside float64) {
			first, rest := Columns(basis, 0, k), Columns(basis, k, d)
			weights := mat.NewDiagDense(k, nil)
			for i := range k {
				weights.SetDiag(i, math.Pow(1-mu[i], float64(2*p)))
			}
			return mat.Trace(Product(first, weights, first.T(), s.a)), mat.Trace(Product(rest.T(), s.a, rest))
		}
		lossAt := func(basis *mat.Dense) float64 {
			roots := mat.NewDiagDense(k, nil)
			for i := range k {
				roots.SetDiag(i, math.Sqrt(mu[i]))
			}
			loss, _ := programs[p-1](Product(Columns(basis, 0, k), roots), s.a)
			return loss + mat.Trace(s.a)
		}
		inside, outside := parts(basis)
		ommtest.Within(t, value.Printed, "relative difference of the loss and its two parts",
			ommtest.Difference(inside+outside, lossAt(basis)), 1e-10)
		ommtest.Within(t, value.Printed, "how far the first part is below 0", ommtest.Excess(0, inside), 1e-12)
		ommtest.Within(t, value.Printed, "and the second below Σ_{i>k} λ_i",
			ommtest.Excess(s.top(d)-s.top(k), outside), 1e-11)

		q := Orthonormal(s.rng, k, k)
		inside, outside = parts(beside(Product(s.leading(k), q.T()), Columns(s.w, k, d)))
		want := 0.0
		for l := range k {
			for m := range k {
				want += math.Pow(1-mu[l], float64(2*p)) * square(q.At(l, m)) * s.values[m]
			}
		}
		ommtest.Within(t, proof.Corrected, "of the first part and Σ_{ℓm} (1 − μ_ℓ)^{2p} Q_ℓm² λ_m",
			ommtest.Difference(want, inside), 1e-11)
		ommtest.Within(t, proof.Corrected, "of the second and Σ_{i>k} λ_i",
			ommtest.Difference(s.top(d)-s.top(k), outside), 1e-11)
	})
}

// Theorem 1 for k above the rank r: the minimisers are those with VVᵀ = W_{1:r}W_{1:r}ᵀ + N, where N is any positive
// semidefinite matrix on the kernel of A of rank at most k − r. So VVᵀw_i = w_i for i ≤ r. The paper prints
// V_{1:r}V_{1:r}ᵀ = W_{1:r}W_{1:r}ᵀ for the first r columns of V, which a minimiser need not satisfy: A = diag(1, 0)
// has the minimiser [0, w_1]. Nor do its squared norms, sorted as in appendix A, begin with 1: VVᵀ = diag(1, 5) is a
// minimiser.
func TestMinimisersAboveTheRank(t *testing.T) {
	printed := claims.Of(t, "theorem1-minimiser")
	proof := claims.Of(t, "theorem1-proof")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		p := drawOrder(t)
		rank := rapid.IntRange(0, 2).Draw(t, "rank")
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		values := make([]float64, d)
		for i := range rank {
			values[i] = 3 - float64(i)
		}
		a, w := Symmetric(rng, values)
		// N is diag(5, 0.3, …) on the first k − r vectors of the kernel.
		kernel := Columns(w, rank, k)
		stretch := mat.NewDiagDense(k-rank, nil)
		for i := range k - rank {
			stretch.SetDiag(i, math.Sqrt([]float64{5, 0.3, 2}[i]))
		}
		kernel = Product(kernel, stretch)
		v := kernel
		if rank > 0 {
			v = beside(Columns(w, 0, rank), kernel)
		}
		v = Product(v, Orthonormal(rng, k, k))
		loss, gradient := programs[p-1](v, a)
		ommtest.Within(t, printed.Corrected, "excess of the loss at VVᵀ = W_{1:r}W_{1:r}ᵀ + N over the minimum",
			math.Abs(loss+floats.Sum(values)), 1e-8)
		ommtest.Within(t, printed.Corrected, "gradient there", mat.Norm(gradient, 2), 1e-8)
		if rank > 0 {
			first, leading := Columns(v, 0, rank), Columns(w, 0, rank)
			printed.Printed("‖V_{1:r}V_{1:r}ᵀ − W_{1:r}W_{1:r}ᵀ‖ at minimisers for k > r",
				mat.Norm(Combine(1, Product(first, first.T()), -1, Product(leading, leading.T())), 2), 1e-3)
		}
	})

	two := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	firstColumnZero, longest := mat.NewDense(2, 2, []float64{0, 1, 0, 0}),
		mat.NewDense(2, 2, []float64{1, 0, 0, math.Sqrt(5)})
	for _, program := range programs {
		for _, v := range []*mat.Dense{firstColumnZero, longest} {
			loss, gradient := program(v, two)
			ommtest.Within(t, ommtest.Every(printed.Corrected, proof.Corrected),
				"loss + 1 at two minimisers of A = diag(1, 0), k = 2", math.Abs(loss+1), 1e-11)
			ommtest.Within(t, ommtest.Every(printed.Corrected, proof.Corrected), "gradient at them",
				mat.Norm(gradient, 2), 1e-11)
		}
	}
	ommtest.Beyond(t, printed.Printed, "‖v_1v_1ᵀ − w_1w_1ᵀ‖ at the minimiser [0, w_1]",
		1-square(firstColumnZero.At(0, 0)), 1e-3)
	ommtest.Beyond(t, proof.Printed, "|μ_1 − 1| at the minimiser with VVᵀ = diag(1, 5)",
		math.Abs(eigenvaluesOf(t, Gram(longest))[1]-1), 1e-3)
}

// Section 2.2 has VVᵀ = W_{1:k}W_{1:k}ᵀ for every minimiser. With λ_k = λ_{k+1} there are others: the projection on any
// leading space will do.
func TestTieAtTheCutHasManyMinimisers(t *testing.T) {
	claim := claims.Of(t, "omm-minimiser")
	programs := ommLosses(t)
	rng := graphtest.NewRand(710)
	a, w := Symmetric(rng, []float64{4, 2, 2, 1, 0.5, 0.25})
	for _, program := range programs {
		for _, angle := range []float64{0, 0.4, math.Pi / 2} {
			turned := Combine(math.Cos(angle), Columns(w, 1, 2), math.Sin(angle), Columns(w, 2, 3))
			loss, gradient := program(beside(Columns(w, 0, 1), turned), a)
			ommtest.Within(t, claim.Corrected, "excess over the minimum at the leading spaces for λ_k = λ_{k+1}",
				math.Abs(loss+6), 1e-12)
			ommtest.Within(t, claim.Corrected, "gradient there", mat.Norm(gradient, 2), 1e-12)
			other := Combine(1, Product(turned, turned.T()), -1, Product(Columns(w, 1, 2), Columns(w, 1, 2).T()))
			claim.Printed("‖VVᵀ − W_{1:k}W_{1:k}ᵀ‖ at another leading space for λ_k = λ_{k+1}",
				mat.Norm(other, 2), 1e-3)
		}
	}
}

// Section 2.2 says of positive semidefinite A that every local minimum is global. For a singular A it is not: for A =
// diag(1, 0) and v = (ε, c),
//
//	L(v) = (c² + ε² − 2) ε²,
//
// so that all (0, c) with c² > 2 are local minima, of loss 0 where the minimum is −1, and descent from near there
// stays. For A + δI each has a direction downwards.
func TestSingularMatrixHasSpuriousMinima(t *testing.T) {
	claim := claims.Of(t, "no-spurious-minima")
	program := onMatrix(t, ommlx.OMM{})
	a := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.Float64Range(-0.05, 0.05).Draw(t, "epsilon")
		c := rapid.Float64Range(1.45, 3).Draw(t, "c")
		loss, _ := program(mat.NewDense(2, 1, []float64{epsilon, c}), a)
		ommtest.Within(t, claim.Corrected, "loss near (0, c), c² > 2, against (c² + ε² − 2)ε²",
			math.Abs((c*c+epsilon*epsilon-2)*square(epsilon)-loss), 1e-14)
		ommtest.Within(t, claim.Corrected, "how far it is below 0, the loss at (0, c)", ommtest.Excess(0, loss), 0)
	})
	start := mat.NewDense(2, 1, []float64{0.1, 1.7})
	loss, v := minimise(t, program, start, a)
	ommtest.Beyond(t, claim.Printed, "excess over the minimum where descent from (0.1, 1.7) ends, A = diag(1, 0)",
		loss+1, 1e-3)
	require.InDelta(t, 0, loss, 1e-12)
	require.Less(t, math.Abs(v.At(0, 0)), 1e-6)
	require.Greater(t, v.At(1, 0), math.Sqrt2)

	loss, _ = minimise(t, program, start, Combine(1, a, 1e-2, Eye(2)))
	ommtest.Within(t, claim.Corrected, "the same for diag(1.01, 0.01)", math.Abs(loss+1.01), 1e-10)
}

// For positive definite A there are none, for every order, which is more than the paper claims. At a critical point the
// diagonal of Vᵀ∇L in the eigenbasis of VᵀV is zero, and it is
//
//	−4p (1 − σ_a)^{2p−1} B_aa,  B = VᵀAV,
//
// with B_aa > 0 wherever σ_a > 0: the squared norms σ_a are 0 or 1. There ∇L = −2(I − VVᵀ)AV: what is left are the
// eigenspaces, and all but the leading one have a way down.
func TestCriticalPointsArePartialIsometries(t *testing.T) {
	claim := claims.Of(t, "no-spurious-minima")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		p := drawOrder(t)
		s := drawSpectrum(t, d, d, 0.1, 4)
		sigma := make([]float64, k)
		for i := range sigma {
			sigma[i] = rapid.Float64Range(0, 3).Draw(t, "sigma")
		}
		basis, q := Orthonormal(s.rng, d, k), Orthonormal(s.rng, k, k)
		roots := mat.NewDiagDense(k, nil)
		for i := range k {
			roots.SetDiag(i, math.Sqrt(sigma[i]))
		}
		v := Product(basis, roots, q.T()) // VᵀV = Q diag(σ) Qᵀ
		_, gradient := programs[p-1](v, s.a)
		along, b := Product(q.T(), v.T(), gradient, q), Product(q.T(), v.T(), s.a, v, q)
		for i := range k {
			want := -4 * float64(p) * math.Pow(1-sigma[i], float64(2*p-1)) * b.At(i, i)
			ommtest.Within(t, claim.Corrected, "relative difference of diag Vᵀ∇L and −4p(1 − σ)^{2p−1} diag VᵀAV",
				math.Abs(want-along.At(i, i))/(1+mat.Norm(along, 2)), 1e-10)
		}

		_, gradient = programs[p-1](basis, s.a)
		want := Combine(-2, Product(s.a, basis), 2, Product(basis, basis.T(), s.a, basis))
		ommtest.Within(t, claim.Corrected, "of ∇L and −2(I − VVᵀ)AV at orthonormal V",
			matrixDifference(want, gradient), 1e-11)
		// A wrong eigenvector turned towards w_1, and an empty column filled with it.
		step := 1e-3
		if j := d - 1; s.values[0] > s.values[j] {
			wrong := Columns(s.w, j, j+1)
			at, _ := programs[p-1](wrong, s.a)
			turned, _ := programs[p-1](Combine(math.Cos(step), wrong, math.Sin(step), s.leading(1)), s.a)
			ommtest.Within(t, claim.Corrected, "of the way down from a wrong eigenvector and −sin²(λ_1 − λ_j)",
				math.Abs(turned-at+square(math.Sin(step))*(s.values[0]-s.values[j])), 1e-12)
		}
		filled, _ := programs[p-1](Scaled(step, s.leading(1)), s.a)
		require.InDelta(t, -2*float64(p)*square(step), filled/s.values[0], 1e-10)
	})
}
