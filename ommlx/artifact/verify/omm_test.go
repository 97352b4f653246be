package verify_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// The trace form, the Neumann form, the function form and a computation on the host agree, and the gradient is −2
// Σ_{i<2p} R^i A R^{2p−1−i} V (appendix on higher orders).
func TestFormsOfOMMAgree(t *testing.T) {
	objective, forms := papertest.Of(t, "omm-objective"), papertest.Of(t, "omm-p-forms")
	function, counting := papertest.Of(t, "operator-objective"), papertest.Of(t, "counting-measure")
	operatorForm := papertest.Every(function.Printed, counting.Printed)
	const d, k = 9, 4
	for p := 1; p <= 3; p++ {
		t.Run(fmt.Sprintf("p=%d", p), func(t *testing.T) {
			both := testkit.Compile(t, func(in []*Node) []*Node {
				loss := verify.MatrixOMM(in[0], in[1], p)
				return append([]*Node{loss}, Gradient(loss, in[0])...)
			})
			functionForm := testkit.Compile(t, testkit.OnBatch(ommlx.OMM{Orders: ommlx.Order(p)}, testkit.OneBatch))
			matrixForm := forms.Printed
			if p == 1 {
				matrixForm = papertest.Every(objective.Printed, forms.Printed)
			}
			for seed := range uint64(5) {
				rng := testkit.NewRand(100 + seed)
				half := linalg.RandomGaussian(rng, d, 1+int(seed)*2) // including rank-deficient matrices
				a, v := linalg.Product(half, half.T()), linalg.Scaled(0.4, linalg.RandomGaussian(rng, d, k))
				r := linalg.Difference(linalg.IdentityMatrix(d), linalg.Product(v, v.T()))
				want := mat.Trace(linalg.Product(linalg.Power(r, 2*p), a)) - mat.Trace(a)
				gradient := testkit.NewArray(d, k)
				for i := range 2 * p {
					term := linalg.Product(linalg.Power(r, i), a, linalg.Power(r, 2*p-1-i), v)
					floats.AddScaled(gradient.Data, -2, term.RawMatrix().Data)
				}

				size := 1 + math.Abs(want) + mat.Trace(a)
				got := both.Call(t, testkit.FromMatrix(v), testkit.FromMatrix(a))
				matrixForm.Within(t, "relative difference of the original form and the trace form, computed with gonum",
					math.Abs(want-got[0].Data[0])/size, 1e-12)
				matrixForm.Within(t, "of the gradient", testkit.Difference(gradient, got[1]), 1e-12)

				e := testkit.EvaluateAt(t, functionForm, testkit.MatrixPoint(v, a), nil)
				value := math.Abs(want-e.Loss.Data[0]) / size
				forms.Printed.Within(t, "of the binomial form", value, 1e-12)
				operatorForm.Within(t, "relative difference of the operator form at f = √d·V and the matrix form",
					value, 1e-12)
				// By the chain rule through f = √d·V and Tf = √d·AV.
				total := linalg.Sum(linalg.Scaled(math.Sqrt(d), e.DF.Matrix()), linalg.Scaled(math.Sqrt(d),
					linalg.Product(a, e.DTF.Matrix())))
				operatorForm.Within(t, "of their gradients", testkit.Difference(gradient, testkit.FromMatrix(total)),
					1e-12)

				unrelated, sum := testkit.GaussianPoint(rng, d, k), 0.0
				m := testkit.SecondMoment(unrelated.F, unrelated.F).Matrix()
				n := testkit.SecondMoment(unrelated.F, unrelated.TF).Matrix()
				for j := range 2 * p {
					sum -= math.Pow(-1, float64(j)) * float64(combin.Binomial(2*p, j+1)) *
						mat.Trace(linalg.Product(linalg.Power(m, j), n))
				}
				function.Printed.Equal(t, "of the operator form and the printed sum, f and Tf unrelated", sum,
					testkit.EvaluateAt(t, functionForm, unrelated, nil).Loss.Data[0], 1e-12)
			}
		})
	}
}

// With f = √μ·w_i for one eigenvector, L^(p) = λ((1−μ)^{2p} − 1), so dL/dμ = −2pλ(1−μ)^{2p−1}. For a negative
// eigenvalue that falls without bound; after a shift by κ ≥ −λ it is bounded below by −(λ+κ).
func TestAlongAnEigenvector(t *testing.T) {
	ray, shift := papertest.Of(t, "negative-eigenvalue-ray"), papertest.Of(t, "shift-makes-psd")
	eigenvalues := []float64{2, 0.5, -0.75}
	a, w := linalg.RandomSymmetric(testkit.NewRand(13), eigenvalues)
	for p := 1; p <= 3; p++ {
		omm := ommlx.OMM{Orders: ommlx.Order(p)}
		plain := testkit.Must(verify.OnMatrix(testkit.PureGo(t), omm))
		shifted := testkit.Must(verify.OnMatrix(testkit.PureGo(t), ommlx.Shifted{Objective: omm, Kappa: 1}))
		for i, lambda := range eigenvalues {
			for _, mu := range []float64{0.1, 0.5, 1, 1.5, 4, 100} {
				v := linalg.Scaled(math.Sqrt(mu), linalg.Columns(w, i, i+1))
				along := func(lambda float64) float64 { return lambda * (math.Pow(1-mu, float64(2*p)) - 1) }
				size := 1 + math.Pow(1+mu, float64(2*p))

				loss, gradient := plain(v, a)
				ray.Printed.Within(t,
					"largest relative difference of the loss at c·w_j and λ_j((1 − c²)^{2p} − 1), p = 1, 2, 3",
					math.Abs(along(lambda)-loss)/size, 1e-11)
				slope := mat.Trace(linalg.Product(gradient.T(), v)) / (2 * mu) // by the chain rule: dV/dμ = V/(2μ)
				wantSlope := -2 * float64(p) * lambda * math.Pow(1-mu, float64(2*p-1))
				ray.Printed.Within(t, "of its slope in c²", math.Abs(wantSlope-slope)/(size*float64(p)/mu), 1e-11)

				after, _ := shifted(v, a)
				shift.Printed.Within(t,
					"relative difference of the shifted loss along w_j and (λ_j + κ)((1 − "+"c²)^{2p} − 1), p = 1, 2, 3", math.Abs(along(lambda+1)-after)/size, 1e-11)
				shift.Printed.Within(t, "how far it is below −(λ_j + κ)", max(0, -(lambda+1)-after), 1e-12)
			}
		}
		_, end, err := verify.Minimise(shifted, linalg.RandomGaussian(testkit.NewRand(15), 3, 2), a, 2000)
		require.NoError(t, err)
		shift.Printed.Within(t, "largest sine between the leading space and the functions where L-BFGS ends",
			linalg.SineOfLargestAngle(end, linalg.Columns(w, 0, 2)), 1e-5)
		// The prediction above with λ = −0.75 and c² = μ = 10⁶: below any bound that a minimum could have.
		far, _ := plain(linalg.Scaled(1e3, linalg.Columns(w, 2, 3)), a)
		ray.Printed.Within(t, "loss at c = 1,000, λ_j = −0.75", far, -1e11)
	}
}

// Shifting by κ is the penalty κ‖VᵀV − I‖²_F up to the constant κk (section 2.2.3: "equivalent").
func TestShiftIsOrthonormalityPenalty(t *testing.T) {
	claim := papertest.Of(t, "shift-is-penalty")
	rng, engine := testkit.NewRand(14), testkit.PureGo(t)
	const k, kappa = 3, 0.7
	a, _ := linalg.RandomSymmetric(rng, []float64{3, 1, 0.5, -0.2, -1})
	v := linalg.RandomGaussian(rng, 5, k)
	loss, gradient := testkit.Must(verify.OnMatrix(engine, ommlx.OMM{}))(v, a)
	shifted, after := testkit.Must(verify.OnMatrix(engine, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa}))(v, a)
	excess := linalg.Difference(linalg.Gram(v), linalg.IdentityMatrix(k))
	penalty := math.Pow(mat.Norm(excess, 2), 2) // with the gradient 4V(VᵀV − I)
	claim.Printed.Equal(t, "relative difference of the shifted loss and the penalised one less κk",
		loss+kappa*(penalty-k), shifted, 1e-12)
	claim.Printed.EqualMatrix(t, "of their gradients", linalg.Sum(gradient, linalg.Scaled(4*kappa, linalg.Product(v,
		excess))), after, 1e-12)
}

// Σ_l α_l Σ_{i,j≤l} A_ij B_ij = Σ_ij P_ij A_ij B_ij for any A, B: entry by entry, P_ij = Σ_{l ≥ i, l ≥ j} α_l.
func TestJointMaskCountsThePrefixesThatHoldBoth(t *testing.T) {
	sum, definition := papertest.Of(t, "joint-objective"), papertest.Of(t, "joint-mask-equation")
	alpha := []float64{0.5, 2, 0.125, 1}
	mask := ommlx.JointMask(alpha)
	for i := range alpha {
		for j := range alpha {
			var want float64
			for l, a := range alpha {
				if i <= l && j <= l {
					want += a
				}
			}
			papertest.Every(sum.Printed, definition.Corrected).Within(t,
				"largest difference of m_{max(i,j)} and the "+"weights of the prefixes that hold i and j",
				math.Abs(want-mask[i][j]), 1e-15)
		}
	}
}

func TestSecondMomentIsTheMeanOfOuterProducts(t *testing.T) {
	claim := papertest.Of(t, "operator-objective")
	rng := testkit.NewRand(1)
	f, g := testkit.Gaussian(rng, 3, 40, 5), testkit.Gaussian(rng, 3, 40, 5)
	p := testkit.Compile(t, func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[0], in[1]), ommlx.SeqSecondMoment(in[0], in[1])}
	})
	want := testkit.NewArray(3, 5, 5)
	for r := range 3 {
		copy(want.Run(r).Data, testkit.SecondMoment(f.Run(r), g.Run(r)).Data)
	}
	for _, m := range p.Call(t, f, g) {
		claim.Printed.Within(t, "relative difference of M[f,g] and the mean of outer products",
			testkit.Difference(want, m), 1e-13)
	}
	for _, m := range p.Call(t, f.Run(1), g.Run(1)) {
		testkit.RequireClose(t, want.Run(1), m, 1e-13, "without run axis")
	}
}
