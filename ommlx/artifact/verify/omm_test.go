package verify

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// The trace form, the Neumann form, the function form and a computation on the host agree, with their gradients
// (appendix on higher orders). The printed sum is also the loss of unrelated f and Tf.
func TestFormsOfOMMAgree(t *testing.T) {
	forms, function := papertest.Of(t, "omm-p-forms").Printed, papertest.Of(t, "operator-objective").Printed
	matrixForm := papertest.Every(papertest.Of(t, "omm-objective").Printed, forms) // at order 1
	operatorForm := papertest.Every(function, papertest.Of(t, "counting-measure").Printed)
	const d, k = 9, 4
	for p := 1; p <= 3; p++ {
		neumann := graphLoss(func(v, a *Node) *Node { return MatrixOMM(v, a, p) })
		onFunctions := onValues(lossOf(ommlx.OMM{Orders: ommlx.Order(p)}))
		for seed := range uint64(5) {
			rng := testkit.NewRand(100 + seed)
			a := projector(RandomGaussian(rng, d, 1+int(seed)*2)) // including rank-deficient matrices
			v := Scaled(0.4, RandomGaussian(rng, d, k))
			want, gradient := traceForm(p, v, a)
			size := 1 + math.Abs(want) + mat.Trace(a)
			loss, ofNeumann := neumann(v, a)
			matrixForm.Within(t, "relative difference of the original form and the trace form, computed with gonum",
				math.Abs(want-loss)/size, 1e-12)
			matrixForm.EqualMatrix(t, "of the gradient", gradient, ofNeumann, 1e-12)

			loss, ofFunctions := order(p)(v, a) // at f = √d·V and Tf = √d·AV
			forms.Within(t, "of the binomial form", math.Abs(want-loss)/size, 1e-12)
			operatorForm.Within(t, "relative difference of the operator form at f = √d·V and the matrix form",
				math.Abs(want-loss)/size, 1e-12)
			operatorForm.EqualMatrix(t, "of their gradients", gradient, ofFunctions, 1e-12)

			f, tf, sum := RandomGaussian(rng, d, k), RandomGaussian(rng, d, k), 0.0
			m, n := Scaled(1./d, Gram(f)), Scaled(1./d, Product(f.T(), tf))
			for j := range 2 * p {
				sign, binomial := math.Pow(-1, float64(j)), float64(combin.Binomial(2*p, j+1))
				sum -= sign * binomial * mat.Trace(Product(Power(m, j), n))
			}
			loss, _, _ = onFunctions(f, tf)
			function.Equal(t, "of the operator form and the printed sum, f and Tf unrelated", sum, loss, 1e-12)
		}
		matrixForm = forms
	}
}

// With f = √μ·w_i for one eigenvector, L^(p) = λ((1−μ)^{2p} − 1), so dL/dμ = −2pλ(1−μ)^{2p−1}. For a negative
// eigenvalue that falls without bound; after a shift by κ ≥ −λ it is bounded below by −(λ+κ).
func TestAlongAnEigenvector(t *testing.T) {
	ray, shift := papertest.Of(t, "negative-eigenvalue-ray").Printed, papertest.Of(t, "shift-makes-psd").Printed
	s := newSpectrum(testkit.NewRand(13), 2, 0.5, -0.75)
	for p := 1; p <= 3; p++ {
		shifted := onMatrix(ommlx.Shifted{Objective: ommlx.OMM{Orders: ommlx.Order(p)}, Kappa: 1})
		for i, lambda := range s.values {
			for _, mu := range []float64{0.1, 0.5, 1, 1.5, 4, 100} {
				v := Scaled(math.Sqrt(mu), s.mode(i))
				along := func(lambda float64) float64 { return lambda * (math.Pow(1-mu, float64(2*p)) - 1) }
				size := 1 + math.Pow(1+mu, float64(2*p))

				loss, gradient := order(p)(v, s.a)
				ray.Within(t,
					"largest relative difference of the loss at c·w_j and λ_j((1 − c²)^{2p} − 1), p = 1, 2, 3",
					math.Abs(along(lambda)-loss)/size, 1e-11)
				slope := mat.Trace(Product(gradient.T(), v)) / (2 * mu) // by the chain rule: dV/dμ = V/(2μ)
				wantSlope := -2 * float64(p) * lambda * math.Pow(1-mu, float64(2*p-1))
				ray.Within(t, "of its slope in c²", math.Abs(wantSlope-slope)/(size*float64(p)/mu), 1e-11)

				after, _ := shifted(v, s.a)
				shift.Within(t, "relative difference of the shifted loss along w_j and (λ_j + κ)((1 − c²)^{2p} − 1), "+
					"p = 1, 2, 3", math.Abs(along(lambda+1)-after)/size, 1e-11)
				shift.Within(t, "how far it is below −(λ_j + κ)", max(0, -(lambda+1)-after), 1e-12)
			}
		}
		_, end := s.minimise(shifted, 1, 2)
		shift.Within(t, "largest sine between the leading space and the functions where L-BFGS ends",
			SineOfLargestAngle(end, s.leading(2)), 1e-5)
		// The prediction above with λ = −0.75 and c² = μ = 10⁶: below any bound that a minimum could have.
		ray.Within(t, "loss at c = 1,000, λ_j = −0.75", omm(p, Scaled(1e3, s.mode(2)), s.a), -1e11)
	}
}

// Shifting by κ is the penalty κ‖VᵀV − I‖²_F up to the constant κk (section 2.2.3: "equivalent").
func TestShiftIsOrthonormalityPenalty(t *testing.T) {
	claim := papertest.Of(t, "shift-is-penalty").Printed
	const k, kappa = 3, 0.7
	s := newSpectrum(testkit.NewRand(14), 3, 1, 0.5, -0.2, -1)
	v := s.gaussian(1, k)
	loss, gradient := order(1)(v, s.a)
	shifted, after := onMatrix(ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa})(v, s.a)
	e := defect(Gram(v)) // the penalty has the gradient −4VE
	claim.Equal(t, "relative difference of the shifted loss and the penalised one less κk",
		loss+kappa*(squaredNorm(e)-k), shifted, 1e-12)
	claim.EqualMatrix(t, "of their gradients", Difference(gradient, Scaled(4*kappa, Product(v, e))), after, 1e-12)
}

// Σ_l α_l Σ_{i,j≤l} A_ij B_ij = Σ_ij P_ij A_ij B_ij for any A, B: entry by entry, P_ij = Σ_{l ≥ i, l ≥ j} α_l.
func TestJointMaskCountsThePrefixesThatHoldBoth(t *testing.T) {
	sum, definition := papertest.Of(t, "joint-objective").Printed, papertest.Of(t, "joint-mask-equation").Corrected
	alpha := []float64{0.5, 2, 0.125, 1}
	for i, row := range ommlx.JointMask(alpha) {
		for j, weight := range row {
			papertest.Every(sum, definition).Near(t, "largest difference of m_{max(i,j)} and the weights of the "+
				"prefixes that hold i and j", floats.Sum(alpha[max(i, j):]), weight, 1e-15)
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
	for r := range 3 {
		want, alone := testkit.SecondMoment(f.Run(r), g.Run(r)), p.Call(t, f.Run(r), g.Run(r))
		for i, m := range p.Call(t, f, g) {
			claim.Printed.Within(t, "relative difference of M[f,g] and the mean of outer products",
				testkit.Difference(want, m.Run(r)), 1e-13)
			testkit.RequireClose(t, want, alone[i], 1e-13, "without run axis")
		}
	}
}
