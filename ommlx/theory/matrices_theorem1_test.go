package theory

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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
