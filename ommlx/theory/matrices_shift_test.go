package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// Section 2.2.3: with κ ≥ −λ_d OMM applies to A + κI: its loss is least at W_{1:k} of an indefinite A, also where some
// of the leading k eigenvalues are negative, for every order, and no V however large is below. At κ = −λ_d exactly A +
// κI is singular: take κ larger (see TestSingularMatrixHasSpuriousMinima).
func TestShiftFindsTheLeadingSpaceOfAnIndefiniteMatrix(t *testing.T) {
	claim := claims.Of(t, "shift-makes-psd")
	const d, k, kappa = libraryStates, 4, 2.5
	for p := 1; p <= 2; p++ {
		program := onMatrix(t, ommlx.Shifted{Objective: ommlx.OMM{Orders: ommlx.Order(p)}, Kappa: kappa})
		for seed := range uint64(2) {
			rng := graphtest.NewRand(790 + seed)
			a, w := Symmetric(rng, []float64{3, 1, -0.2, -0.5, -1.2, -2})
			loss, v := minimise(t, program, Scaled(0.4, Gaussian(rng, d, k)), a)
			ommtest.Within(t, claim.Printed, "distance of the minimum from −Σ_{i≤k} (λ_i + κ)",
				ommtest.Difference(-(3.3+k*kappa), loss), 1e-8)
			projector := Product(Columns(w, 0, k), Columns(w, 0, k).T())
			ommtest.Within(t, claim.Printed, "of VVᵀ there from W_{1:k}W_{1:k}ᵀ",
				matrixDifference(projector, Product(v, v.T())), 2e-2)

			// The lowest mode is what falls first, if anything does.
			for _, size := range []float64{1, 3, 10, 100} {
				v := Scaled(0.1, Gaussian(rng, d, k))
				v.SetCol(0, mat.Col(nil, 5, w))
				far, _ := program(Scaled(size, v), a)
				ommtest.Within(t, claim.Printed, "how far V with the lowest mode up to norm 100 gets below it",
					ommtest.Excess(loss, far), 0)
			}
		}
	}
}

// Section 2.2.3 says that the penalty preserves the global optima. For k above the rank it takes some away: of the
// minimisers W_{1:r}W_{1:r}ᵀ + N (see TestMinimisersAboveTheRank) those remain whose N is a projection of rank k − r.
func TestPenaltyKeepsSomeMinimisersAboveTheRank(t *testing.T) {
	claim := claims.Of(t, "penalty-keeps-optima")
	const k, kappa = 3, 0.5
	plain := onMatrix(t, ommlx.OMM{})
	penalised := onMatrix(t, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa})
	rapid.Check(t, func(t *rapid.T) {
		mu := rapid.Float64Range(0, 3).Draw(t, "squared norm in the kernel")
		a, w := Symmetric(graphtest.NewRand(rapid.Uint64().Draw(t, "seed")), []float64{3, 2, 0, 0, 0, 0})
		v := beside(Columns(w, 0, 2), Scaled(math.Sqrt(mu), Columns(w, 2, 3)))
		loss, _ := plain(v, a)
		ommtest.Within(t, claim.Corrected, "excess over the minimum at W_{1:r}W_{1:r}ᵀ + μuuᵀ, k = r + 1, without "+
			"the penalty", math.Abs(loss+5), 1e-12)
		loss, _ = penalised(v, a)
		ommtest.Within(t, claim.Corrected, "the same with it, less κ(1 − μ)²",
			math.Abs(loss+5+kappa*k-kappa*square(1-mu)), 1e-12)
		claim.Printed("κ(1 − μ)², by which the penalty lifts minimisers with a squared norm μ ≠ 1 in the kernel",
			loss+5+kappa*k, 1e-3)
	})

	// For k up to the rank W_{1:k} stays.
	for seed := range uint64(2) {
		rng := graphtest.NewRand(795 + seed)
		a, w := Symmetric(rng, []float64{3, 2, 1, 0.5, 0, 0})
		loss, v := minimise(t, penalised, Scaled(0.4, Gaussian(rng, libraryStates, k)), a)
		ommtest.Within(t, claim.Printed, "distance of the minimum from −Σ_{i≤k} λ_i − κk, k < r",
			ommtest.Difference(-6-kappa*k, loss), 1e-8)
		projector := Product(Columns(w, 0, k), Columns(w, 0, k).T())
		ommtest.Within(t, claim.Printed, "of VVᵀ from W_{1:k}W_{1:k}ᵀ",
			matrixDifference(projector, Product(v, v.T())), 1e-4)
	}
}

// Section 2.2.2 and appendix A: the trace form tr((I − VVᵀ)^{2p}A) − tr A and the original form −tr(Q_pVᵀAV) agree. The
// proof as printed has (VᵀV)⁻¹, and so speaks of full column rank only. With S Q_p = I − (I − S)^{2p} it needs no
// inverse, and the forms agree for zero and repeated columns too, and for more columns than rows. (The appendix also
// exchanges the names of the two forms.)
func TestFormsAgreeWithoutFullRank(t *testing.T) {
	claim := claims.Of(t, "omm-p-forms")
	var programs []graphtest.Program
	for p := 1; p <= 3; p++ {
		programs = append(programs, graphtest.NewProgram(t, func(in []*Node) []*Node {
			return []*Node{ommlx.MatrixOMM(in[0], in[1], p), ommlx.MatrixOMMNeumann(in[0], in[1], p)}
		}))
	}
	rapid.Check(t, func(t *rapid.T) {
		const d = 4
		p := drawOrder(t)
		s := drawSpectrum(t, d, 0, -4, 4)
		rank := rapid.IntRange(0, 2).Draw(t, "rank of V")
		k := rapid.SampledFrom([]int{3, 6}).Draw(t, "k")
		v := mat.NewDense(d, k, nil)
		if rank > 0 {
			v = Product(Gaussian(s.rng, d, rank),
				Scaled(0.4, Gaussian(s.rng, rank, k)))
		}
		out := testkit.Must(programs[p-1].TryCall(graphtest.FromMatrix(v), graphtest.FromMatrix(s.a)))
		size := 1 + 10*math.Pow(1+square(mat.Norm(v, 2)), float64(2*p))
		ommtest.Within(t, claim.Corrected, "relative difference of trace form and original form, V of lower rank",
			math.Abs(out[0].Data[0]-out[1].Data[0])/size, 1e-12)

		overlap := Gram(v)
		e := Power(Combine(1, Eye(k), -1, overlap), 2*p)
		ommtest.Within(t, claim.Corrected, "of SQ_p and I − (I − S)^{2p}",
			matrixDifference(Combine(1, Eye(k), -1, e), Product(overlap, neumann(overlap, 2*p))), 1e-10)
	})
}
