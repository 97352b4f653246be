package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/theory"
)

// residualPowers returns R^0, …, R^n for R = I − VVᵀ.
func residualPowers(v *mat.Dense, n int) []*mat.Dense {
	d, _ := v.Dims()
	var r mat.Dense
	r.Mul(v, v.T())
	r.Scale(-1, &r)
	powers := []*mat.Dense{graphtest.Eye(d).Matrix()}
	r.Add(&r, powers[0])
	for range n {
		var next mat.Dense
		next.Mul(powers[len(powers)-1], &r)
		powers = append(powers, &next)
	}
	return powers
}

// The trace form, the Neumann form, the function form and a computation on the host are one number, and the gradient is
// −2 Σ_{i<2p} R^i A R^{2p−1−i} V (appendix on higher orders).
func TestFormsOfOMMAgree(t *testing.T) {
	objective := ommtest.Of(t, "omm-objective")
	forms := ommtest.Of(t, "omm-p-forms")
	function := ommtest.Of(t, "operator-objective")
	counting := ommtest.Of(t, "counting-measure")
	const d, k = 9, 4
	for p := 1; p <= 3; p++ {
		t.Run(fmt.Sprintf("p=%d", p), func(t *testing.T) {
			both := graphtest.NewProgram(t, func(in []*Node) []*Node {
				tr, neumann := ommlx.MatrixOMM(in[0], in[1], p), ommlx.MatrixOMMNeumann(in[0], in[1], p)
				return append([]*Node{tr, neumann}, Gradient(tr, in[0])...)
			})
			functionForm := graphtest.NewProgram(t, ommtest.OnBatch(ommlx.OMM{Orders: ommlx.Order(p)}))
			matrixForm := forms.Corrected
			if p == 1 {
				matrixForm = ommtest.Every(objective.Corrected, forms.Corrected)
			}
			for seed := range uint64(5) {
				rng := graphtest.NewRand(100 + seed)
				half := graphtest.Gaussian(rng, d, 1+int(seed)*2).Matrix() // also matrices that are not of full rank
				var a mat.Dense
				a.Mul(half, half.T())
				v := graphtest.Gaussian(rng, d, k).Scaled(0.4).Matrix()

				powers := residualPowers(v, 2*p)
				var product mat.Dense
				product.Mul(powers[2*p], &a)
				want := mat.Trace(&product) - mat.Trace(&a)
				gradient := mat.NewDense(d, k, nil)
				for i := range 2 * p {
					var term mat.Dense
					term.Product(powers[i], &a, powers[2*p-1-i], v)
					gradient.Add(gradient, &term)
				}
				gradient.Scale(-2, gradient)

				size := 1 + math.Abs(want) + mat.Trace(&a)
				got := both.Call(t, graphtest.FromMatrix(v), graphtest.FromMatrix(&a))
				matrixForm.Within(t, "relative difference of the trace form and a computation with gonum",
					math.Abs(want-got[0].Data[0])/size, 1e-12)
				matrixForm.Within(t, "of the original form", math.Abs(want-got[1].Data[0])/size, 1e-12)
				matrixForm.Close(t, "of the gradient", graphtest.FromMatrix(gradient), got[2], 1e-12)

				e := ommtest.Evaluate(t, functionForm, ommtest.MatrixPoint(v, &a), nil)
				value := math.Abs(want-e.Loss.Data[0]) / size
				forms.Corrected.Within(t, "of the binomial form", value, 1e-12)
				ommtest.Every(function.Printed, counting.Corrected).Within(t, "relative difference of the operator "+
					"form at f = √d·V and the matrix form", value, 1e-12)
				var total mat.Dense // by the chain rule through f = √d·V and Tf = √d·AV
				total.Mul(&a, e.DTF.Matrix())
				total.Add(&total, e.DF.Matrix())
				total.Scale(math.Sqrt(d), &total)
				ommtest.Every(function.Printed, counting.Corrected).Close(t, "of their gradients",
					graphtest.FromMatrix(gradient), graphtest.FromMatrix(&total), 1e-12)
			}
		})
	}
}

func TestMatrixFormsTakeRuns(t *testing.T) {
	rng := graphtest.NewRand(11)
	v, a := graphtest.Gaussian(rng, 2, 5, 3), graphtest.Gaussian(rng, 2, 5, 5)
	p := graphtest.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.MatrixOMM(in[0], in[1], 2), ommlx.MatrixOMMNeumann(in[0], in[1], 2)}
	})
	both := p.Call(t, v, a)
	for r := range 2 {
		for i, one := range p.Call(t, v.Run(r), a.Run(r)) {
			require.InEpsilon(t, one.Data[0], both[i].Data[r], 1e-12)
		}
	}
}

// With f = √μ·w_i for one eigenvector, L^(p) = λ((1−μ)^{2p} − 1), so dL/dμ = −2pλ(1−μ)^{2p−1}. For a negative
// eigenvalue that falls without bound; after a shift by κ ≥ −λ it is bounded below by −(λ+κ).
func TestAlongAnEigenvector(t *testing.T) {
	ray := ommtest.Of(t, "negative-eigenvalue-ray")
	shift := ommtest.Of(t, "shift-makes-psd")
	rng := graphtest.NewRand(13)
	eigenvalues := []float64{2, 0.5, -0.75}
	a, w := theory.Symmetric(rng, eigenvalues)
	for p := 1; p <= 3; p++ {
		plain := graphtest.NewProgram(t, ommtest.OnBatch(ommlx.OMM{Orders: ommlx.Order(p)}))
		shifted := graphtest.NewProgram(t,
			ommtest.OnBatch(ommlx.Shifted{Objective: ommlx.OMM{Orders: ommlx.Order(p)}, Kappa: 1}))
		for i, lambda := range eigenvalues {
			for _, mu := range []float64{0.1, 0.5, 1, 1.5, 4, 100} {
				v := mat.NewDense(3, 1, nil)
				v.Scale(math.Sqrt(mu), w.ColView(i))
				along := func(lambda float64) float64 { return lambda * (math.Pow(1-mu, float64(2*p)) - 1) }
				size := 1 + math.Pow(1+mu, float64(2*p))

				e := ommtest.Evaluate(t, plain, ommtest.MatrixPoint(v, a), nil)
				ray.Printed.Within(t, "largest relative difference of the loss at c·w_j and λ_j((1 − c²)^{2p} − 1), "+
					"p = 1, 2, 3", math.Abs(along(lambda)-e.Loss.Data[0])/size, 1e-11)
				// dL/dμ by the chain rule: dF/dμ = F/(2μ), dTF/dμ = TF/(2μ).
				at := ommtest.MatrixPoint(v, a)
				slope := 0.0
				for j := range at.F.Data {
					slope += (e.DF.Data[j]*at.F.Data[j] + e.DTF.Data[j]*at.TF.Data[j]) / (2 * mu)
				}
				wantSlope := -2 * float64(p) * lambda * math.Pow(1-mu, float64(2*p-1))
				ray.Printed.Within(t, "of its slope in c²", math.Abs(wantSlope-slope)/(size*float64(p)/mu), 1e-11)

				after := ommtest.Evaluate(t, shifted, ommtest.MatrixPoint(v, a), nil).Loss.Data[0]
				shift.Printed.Within(t, "relative difference of the shifted loss along w_j and (λ_j + κ)((1 − "+
					"c²)^{2p} − 1), p = 1, 2, 3", math.Abs(along(lambda+1)-after)/size, 1e-11)
				shift.Printed.AtMost(t, "how far it is below −(λ_j + κ)", -(lambda + 1), after, 1e-12)
			}
		}
		// The prediction above with λ = −0.75 and c² = μ = 10⁶: below any bound that a minimum could have.
		v := mat.NewDense(3, 1, nil)
		v.Scale(1e3, w.ColView(2))
		ray.Printed.Within(t, "loss at c = 1,000, λ_j = −0.75",
			ommtest.Evaluate(t, plain, ommtest.MatrixPoint(v, a), nil).Loss.Data[0], -1e11)
	}
}

// Shifting by κ is the penalty κ‖VᵀV − I‖²_F but for the constant κk (section 2.2.3: "equivalent").
func TestShiftIsOrthonormalityPenalty(t *testing.T) {
	claim := ommtest.Of(t, "shift-is-penalty")
	rng := graphtest.NewRand(14)
	const k, kappa = 3, 0.7
	a, _ := theory.Symmetric(rng, []float64{3, 1, 0.5, -0.2, -1})
	at := ommtest.MatrixPoint(graphtest.Gaussian(rng, 5, k).Matrix(), a)
	penalised := graphtest.NewProgram(t, func(in []*Node) []*Node {
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: in[0], TF: in[1]}, nil)
		m := ommlx.SecondMoment(in[0], in[0])
		penalty := MulScalar(ReduceAllSum(Square(Sub(m, DiagonalWithValue(ScalarOne(m.Graph(), m.DType()), k)))), kappa)
		// TF is A·F, so its gradient reaches F through the symmetric A.
		total := Add(loss, penalty)
		g := Gradient(total, in[0], in[1])
		return []*Node{total, Add(g[0], MatMul(in[2], g[1]))}
	})
	want := penalised.Call(t, at.F, at.TF, graphtest.FromMatrix(a))
	e := ommtest.EvaluateOnce(t, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa}, at, nil)
	claim.Corrected.Agree(t, "relative difference of the shifted loss and the penalised one less κk",
		want[0].Data[0]-kappa*k, e.Loss.Data[0], 1e-12)
	// dF of the shifted loss already holds κ times what arrives at TF + κF.
	var total mat.Dense
	total.Mul(a, e.DTF.Matrix())
	total.Add(&total, e.DF.Matrix())
	claim.Corrected.Close(t, "of their gradients", want[1], graphtest.FromMatrix(&total), 1e-12)
}
