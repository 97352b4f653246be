package verify

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Theorem 1 for k above the rank r. The paper prints V_{1:r}V_{1:r}ᵀ = W_{1:r}W_{1:r}ᵀ for the first r columns of V,
// and squared norms that begin with 1.
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
			v = beside(s.leading(rank), v)
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

	two := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	firstColumnZero, longest := mat.NewDense(2, 2, []float64{0, 1, 0, 0}),
		mat.NewDense(2, 2, []float64{1, 0, 0, math.Sqrt(5)})
	for _, program := range programs {
		for _, v := range []*mat.Dense{firstColumnZero, longest} {
			loss, gradient := program(v, two)
			printed.Corrected.Within(t, "loss + 1 at two minimisers of A = diag(1, 0), k = 2", math.Abs(loss+1), 1e-11)
			printed.Corrected.Within(t, "gradient at them", mat.Norm(gradient, 2), 1e-11)
		}
	}
	printed.Printed.Beyond(t, "‖v_1v_1ᵀ − w_1w_1ᵀ‖ at the minimiser [0, w_1]", 1-square(firstColumnZero.At(0, 0)), 1e-3)
	printed.Printed.Beyond(t, "|μ_1 − 1| at the minimiser with VVᵀ = diag(1, 5)",
		math.Abs(eigenvaluesOf(t, Gram(longest))[1]-1), 1e-3)
}

// Section 2.2 has VVᵀ = W_{1:k}W_{1:k}ᵀ for every minimiser.
func TestTieAtTheCutHasManyMinimisers(t *testing.T) {
	claim := papertest.Of(t, "omm-minimiser")
	s := newSpectrum(testkit.NewRand(710), 4, 2, 2, 1, 0.5, 0.25)
	for _, program := range ommLosses(t) {
		for _, angle := range []float64{0, 0.4, math.Pi / 2} {
			turned := Combine(math.Cos(angle), s.mode(1), math.Sin(angle), s.mode(2))
			loss, gradient := program(beside(s.leading(1), turned), s.a)
			claim.Corrected.Within(t, "excess over the minimum at the leading spaces for λ_k = λ_{k+1}",
				math.Abs(loss+6), 1e-12)
			claim.Corrected.Within(t, "gradient there", mat.Norm(gradient, 2), 1e-12)
			claim.Printed("‖VVᵀ − W_{1:k}W_{1:k}ᵀ‖ at another leading space for λ_k = λ_{k+1}",
				mat.Norm(Combine(1, projector(turned), -1, projector(s.mode(1))), 2), 1e-3)
		}
	}
}

// Theorem 1: from any start the minimum is −Σ of the leading eigenvalues, m = min(k, rank) of them, and there VVᵀ is
// the projection onto their eigenvectors w_1, …, w_m. How close V must be follows from what the loss is above the
// minimum: by the theorem's proof that excess is a sum of two non-negative parts, of which one bounds the angle between
// the spaces, sin² ≤ excess/(λ_m − λ_{m+1}), and the other the squared norms μ of the modes, (1−μ)^{2p} ≤ excess/λ_m.
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
