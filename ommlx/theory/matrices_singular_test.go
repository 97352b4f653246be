package theory

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// What is so for singular positive semidefinite A, where TestSingularMatrixHasSpuriousMinima shows local minima that
// are not global: all of them have an eigenvalue of VᵀV that is 2 or more. A vector n of the kernel, ‖n‖² = σ, that
// takes up a little of an eigenvector u outside of the span has the loss
//
//	L^(p)(n + εu) = −(1 − (1 − μ)^{2p}) λ_u ε² / μ,  μ = σ + ε²,
//
// which is below L^(p)(n) = 0 for 0 < μ < 2. And the gradient flow from ‖V‖² < 2 stays below it, since no eigenvalue of
// VᵀV above 1 grows where A ⪰ 0; so it ends at the minimum, but for starts that lead to saddles.
func TestSmallStartsLeaveTheKernel(t *testing.T) {
	claim := claims.Of(t, "no-spurious-minima")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		p := drawOrder(t)
		lambda := rapid.Float64Range(0.1, 4).Draw(t, "lambda")
		epsilon := rapid.Float64Range(0.01, 0.1).Draw(t, "epsilon")
		sigma := rapid.Float64Range(0.01, 3).Draw(t, "sigma")
		mu := sigma + square(epsilon)
		a := mat.NewDense(libraryStates, libraryStates, nil)
		a.Set(0, 0, lambda)
		v := mat.NewDense(libraryStates, 1, nil)
		v.Set(0, 0, epsilon)
		v.Set(1, 0, math.Sqrt(sigma))
		loss, _ := programs[p-1](v, a)
		want := -(1 - math.Pow(1-mu, float64(2*p))) * lambda * square(epsilon) / mu
		ommtest.Within(t, claim.Corrected, "relative difference of the loss at n + εu, n in the kernel, and its "+
			"closed form", ommtest.Difference(want, loss), 1e-11)
		if mu < 2 {
			ommtest.Within(t, claim.Corrected, "how far that loss is above 0 for ‖n + εu‖² < 2",
				ommtest.Excess(loss, 0), 0)
		}
	})

	values := []float64{1, 0.5, 0, 0, 0, 0}
	for seed := range uint64(4) {
		rng := graphtest.NewRand(940 + seed)
		a, _ := Symmetric(rng, values)
		start := Scaled(1.4, Orthonormal(rng, libraryStates, 2))
		end, largest := start, 1.96
		Flow(programs[0], start, a, 40, 0.05, func(_ float64, v *mat.Dense) {
			top := slices.Max(eigenvaluesOf(t, Gram(v)))
			ommtest.Within(t, claim.Corrected, "growth of the largest eigenvalue of VᵀV above 1 along the flow for "+
				"singular A", ommtest.Excess(top, max(largest, 1)), 1e-9)
			end, largest = mat.DenseCopyOf(v), top
		})
		loss, _ := programs[0](end, a)
		ommtest.Within(t, claim.Corrected, "distance from −Σ λ_i where the flow from ‖V‖ = 1.4 ends, singular A",
			math.Abs(loss+1.5), 1e-6)
	}
}
