package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Theorem 2 prints V = W for the minimiser, V d×k and W d×d. It is W_{1:k} up to the sign of each column: all sign
// choices have the least loss −Σ_i m_i λ_i. For k = d, where there is no λ_{k+1}, it needs λ_d > 0 besides: with λ_d =
// 0 the last column may have any length.
func TestJointMinimisersUpToSign(t *testing.T) {
	claim := claims.Of(t, "theorem2")
	alpha := []float64{0.5, 2, 1}
	for p := 1; p <= 3; p++ {
		program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(p),
			Weights: alpha})
		rapid.Check(t, func(t *rapid.T) {
			d := rapid.SampledFrom([]int{3, 5}).Draw(t, "d")
			values := []float64{3, 2, 0, 0, 0}[:d]
			if d == 5 {
				values = []float64{3, 2, 1, 0.5, 0}
			}
			rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
			a, w := Symmetric(rng, values)
			last := 1.0
			if d == 3 {
				last = rapid.Float64Range(0, 2).Draw(t, "length of the last column")
			}
			signs := mat.NewDiagDense(3, []float64{1 - 2*float64(rng.IntN(2)), 1 - 2*float64(rng.IntN(2)), last})
			least := 0.0
			for i, m := range ommlx.JointWeights(alpha) {
				least -= m * values[i]
			}
			loss, gradient := program(Product(Columns(w, 0, 3), signs), a)
			ommtest.Within(t, claim.Corrected, "excess over −Σ_i m_i λ_i at ±w_1, ±w_2, …, p = 1, 2, 3; for k = d, "+
				"λ_d = 0 with any last length", math.Abs(least-loss), 1e-9)
			ommtest.Within(t, claim.Corrected, "gradient there", mat.Norm(gradient, 2), 1e-9)
			if d == 3 {
				claim.Printed("‖v_kv_kᵀ − w_kw_kᵀ‖ at minimisers for k = d, λ_d = 0", math.Abs(last*last-1), 1e-3)
			}
			other, _ := program(Scaled(0.5, Gaussian(rng, d, 3)), a)
			require.Greater(t, other, least)
		})
	}
}

// Footnote to Theorem 2: with repeated eigenvalues the minimiser of joint nesting has orthonormal columns in the
// eigenspaces. They are a basis of an eigenspace, as the footnote says, if all of it is among the leading k; an
// eigenspace that k cuts through has only an orthonormal set.
func TestJointMinimiserOfARepeatedEigenvalue(t *testing.T) {
	claim := claims.Of(t, "theorem2-degenerate")
	program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint})
	const d = 6
	for _, k := range []int{2, 3, 4} { // cut through the eigenspace of 2, whole, and with one more
		for seed := range uint64(2) {
			rng := graphtest.NewRand(740 + seed)
			a, w := Symmetric(rng, []float64{4, 2, 2, 1, 0.5, 0.25})
			_, v := minimise(t, program, Scaled(0.4, Gaussian(rng, d, k)), a)
			ommtest.Within(t, claim.Corrected, "relative distance of VᵀV from I where L-BFGS ends",
				matrixDifference(Eye(k), Gram(v)), 1e-4)
			spaces := []*mat.Dense{Columns(w, 0, 1), Columns(w, 1, 3), Columns(w, 1, 3), Columns(w, 3, 4)}
			for i, space := range spaces[:k] {
				vi := Columns(v, i, i+1)
				ommtest.Within(t, claim.Corrected, "largest part of a column outside of its eigenspace",
					mat.Norm(Combine(1, vi, -1, Product(space, space.T(), vi)), 2), 1e-4)
			}
			if k == 2 {
				half := Columns(v, 1, 2)
				both := Columns(w, 1, 3)
				ommtest.Beyond(t, claim.Printed, "part of the cut eigenspace that the columns do not span",
					mat.Norm(Combine(1, both, -1, Product(half, half.T(), both)), 2), 0.9)
			}
		}
	}
}
