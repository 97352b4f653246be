package theory

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Theorem 1: from any start the minimum is −Σ of the leading eigenvalues, m = min(k, rank) of them, and there VVᵀ is
// the projection onto their eigenvectors w_1, …, w_m. How close V must be follows from what the loss is above the
// minimum: by the theorem's proof that excess is a sum of two non-negative parts, of which one bounds the angle between
// the spaces, sin² ≤ excess/(λ_m − λ_{m+1}), and the other the squared norms μ of the modes, (1−μ)^{2p} ≤ excess/λ_m.
func TestMinimiserSpansTheLeadingSpace(t *testing.T) {
	value := claims.Of(t, "theorem1-value")
	minimiser := claims.Of(t, "omm-minimiser")
	above := claims.Of(t, "theorem1-minimiser")
	spurious := claims.Of(t, "no-spurious-minima")
	for _, c := range []struct {
		name        string
		k, m        int
		eigenvalues []float64
	}{
		{"k below the rank", 3, 3, []float64{4, 3, 2, 1, 0.5, 0.25, 0.1}},
		{"repeated eigenvalue", 3, 3, []float64{4, 2, 2, 1, 0.5, 0.25, 0.1}},
		{"k above the rank", 5, 3, []float64{4, 3, 2, 0, 0, 0, 0}},
	} {
		for p := 1; p <= 3; p++ {
			t.Run(fmt.Sprintf("%s, p=%d", c.name, p), func(t *testing.T) {
				program := onMatrix(t, ommlx.OMM{Orders: ommlx.Order(p)})
				d, lambda := len(c.eigenvalues), c.eigenvalues[c.m-1]
				reached, record := value.Printed, minimiser.Corrected
				if c.eigenvalues[d-1] > 0 {
					reached = ommtest.Every(value.Printed, spurious.Corrected)
				}
				if c.k > c.m {
					record = above.Corrected
				}
				for seed := range uint64(4) {
					rng := graphtest.NewRand(30 + seed)
					a, w := Symmetric(rng, c.eigenvalues)
					loss, v := minimise(t, program, Scaled(0.3+float64(seed)/5, Gaussian(rng, d, c.k)), a)
					excess := loss + floats.Sum(c.eigenvalues[:c.m])
					ommtest.Within(t, reached, "distance from −Σ λ_i where L-BFGS ends, p = 1, 2, 3",
						math.Abs(excess), 1e-7)

					excess = math.Max(excess, 1e-14)
					angle := math.Sqrt(excess / (lambda - c.eigenvalues[c.m]))
					norm := math.Pow(excess/lambda, 1/float64(2*p))
					span := Basis(v)
					for i := range c.m {
						ommtest.Within(t, record, "part of w_i outside the span of V there, over the bound from "+
							"the excess of the loss", residual(span, w.ColView(i))/(2*angle), 1)
						ommtest.Within(t, record, "‖(I − VVᵀ)w_i‖, over its bound",
							residual(v, w.ColView(i))/(2*norm+3*angle), 1)
					}
				}
			})
		}
	}
}

// residual returns ‖(I − VVᵀ)w‖.
func residual(v *mat.Dense, w mat.Vector) float64 {
	var inside, outside mat.VecDense
	inside.MulVec(v.T(), w)
	outside.MulVec(v, &inside)
	outside.SubVec(w, &outside)
	return mat.Norm(&outside, 2)
}

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
