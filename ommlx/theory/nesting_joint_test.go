package theory

import (
	"fmt"
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

// Theorem 2, for joint nesting of any order and for LoRA: the minimiser is the eigenvectors in order, with norm 1 (OMM)
// or √λ (LoRA). The printed variants of joint nesting end there too for these eigenvalues, the pseudocode's with norm
// 1/√k; for others see TestPrintedJointEquationIsUnboundedBelow.
func TestJointMinimiserIsOrdered(t *testing.T) {
	ordered := claims.Of(t, "theorem2")
	pseudocode := claims.Of(t, "pseudocode-joint")
	lora := claims.Of(t, "lora-optimum")
	const k = 3
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	alpha := []float64{0.2, 0.5, 1}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha},
		ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(2)},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation},
		ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			program, tolerance := onMatrix(t, o), 1e-4
			if omm, ok := o.(ommlx.OMM); ok && len(omm.Orders) > 1 {
				tolerance = 5e-3 // the minimum is flat: the gradient falls with the third power of the distance
			}
			for seed := range uint64(4) {
				rng := graphtest.NewRand(40 + seed)
				a, w := Symmetric(rng, eigenvalues)
				_, v := minimise(t, program, Scaled(0.4, Gaussian(rng, len(eigenvalues), k)), a)
				deviation := ommtest.RequireEigenvectors(t, o, v, w, eigenvalues, tolerance)
				switch omm, ok := o.(ommlx.OMM); {
				case !ok:
					lora.Printed("distance of f_i from ±√λ_i w_i with joint nesting", deviation, tolerance)
				case omm.Printed == ommlx.JointPseudocode:
					pseudocode.Corrected("distance of the minimiser from ±w_i/√k", deviation, tolerance)
				case omm.Printed == ommlx.NotPrinted:
					ordered.Corrected(fmt.Sprintf("distance from ±w_i where L-BFGS ends, p = %d",
						max(1, len(omm.Orders))), deviation, tolerance)
				}
			}
		})
	}
}

// Sequential nesting and Sanger's rule are no gradients of a function, so they are followed by plain descent. All
// starts are runs of one program.
func TestSequentialDescentIsOrdered(t *testing.T) {
	omm := claims.Of(t, "seq-converges")
	lora := claims.Of(t, "lora-optimum")
	const k, starts, steps, rate = 3, 4, 3000, 0.02
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}, ommlx.LoRA{Nesting: ommlx.Sequential},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			rng := graphtest.NewRand(50)
			a, w := Symmetric(rng, eigenvalues)
			v := graphtest.Gaussian(rng, starts, len(eigenvalues), k).Scaled(0.3)
			program := graphtest.NewProgram(t, ommtest.OnMatrix(o))
			for range steps {
				floats.AddScaled(v.Data, -rate, program.Call(t, v, graphtest.FromMatrix(a))[1].Data)
			}
			for r := range starts {
				deviation := ommtest.RequireEigenvectors(t, o, v.Run(r).Matrix(), w, eigenvalues, 1e-6)
				switch o.(type) {
				case ommlx.OMM:
					omm.Printed("distance from ±w_i where descent ends", deviation, 1e-6)
				case ommlx.LoRA:
					lora.Printed("distance of f_i from ±√λ_i w_i with sequential nesting", deviation, 1e-6)
				}
			}
		})
	}
}
