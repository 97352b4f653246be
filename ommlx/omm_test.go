package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

// order returns the weights of OMM-p alone.
func order(p int) []float64 {
	w := make([]float64, p)
	w[p-1] = 1
	return w
}

// residualPowers returns R^0, …, R^n for R = I − VVᵀ.
func residualPowers(v *mat.Dense, n int) []*mat.Dense {
	d, _ := v.Dims()
	var r mat.Dense
	r.Mul(v, v.T())
	r.Scale(-1, &r)
	powers := []*mat.Dense{mat.DenseCopyOf(mat.NewDiagDense(d, ones(d)))}
	r.Add(&r, powers[0])
	for range n {
		var next mat.Dense
		next.Mul(powers[len(powers)-1], &r)
		powers = append(powers, &next)
	}
	return powers
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// The trace form, the Neumann form, the function form and a computation on the host are one number, and the gradient is
// −2 Σ_{i<2p} R^i A R^{2p−1−i} V (appendix on higher orders).
func TestFormsOfOMMAgree(t *testing.T) {
	objective := claims.Of(t, "omm-objective")
	forms := claims.Of(t, "omm-p-forms")
	function := claims.Of(t, "operator-objective")
	spectrum := claims.Of(t, "operator-spectrum")
	const d, k = 9, 4
	for p := 1; p <= 3; p++ {
		t.Run(fmt.Sprintf("p=%d", p), func(t *testing.T) {
			both := newProgram(t, func(in []*Node) []*Node {
				tr, neumann := ommlx.MatrixOMM(in[0], in[1], p), ommlx.MatrixOMMNeumann(in[0], in[1], p)
				return append([]*Node{tr, neumann}, Gradient(tr, in[0])...)
			})
			functionForm := newProgram(t, lossProgram(ommlx.OMM{Orders: order(p)}))
			matrixForm := forms.Corrected
			if p == 1 {
				matrixForm = every(objective.Corrected, forms.Corrected)
			}
			for seed := range uint64(5) {
				rng := newRand(100 + seed)
				half := gaussian(rng, d, 1+int(seed)*2).matrix() // also matrices that are not of full rank
				var a mat.Dense
				a.Mul(half, half.T())
				v := gaussian(rng, d, k).scaled(0.4).matrix()

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
				got := both.call(t, fromMatrix(v), fromMatrix(&a))
				within(t, matrixForm, "relative difference of the trace form and a computation with gonum", math.Abs(want-got[0].Data[0])/size, 1e-12)
				within(t, matrixForm, "of the original form", math.Abs(want-got[1].Data[0])/size, 1e-12)
				within(t, matrixForm, "of the gradient", arrayDifference(fromMatrix(gradient), got[2]), 1e-12)

				e := evaluate(t, functionForm, matrixPoint(v, &a), nil)
				value := math.Abs(want-e.loss.Data[0]) / size
				within(t, forms.Corrected, "of the binomial form", value, 1e-12)
				within(t, every(function.Printed, spectrum.Corrected), "relative difference of the operator form at f = √d·V and the matrix form", value, 1e-12)
				var total mat.Dense // by the chain rule through f = √d·V and Tf = √d·AV
				total.Mul(&a, e.dTF.matrix())
				total.Add(&total, e.dF.matrix())
				total.Scale(math.Sqrt(d), &total)
				within(t, every(function.Printed, spectrum.Corrected), "of their gradients", arrayDifference(fromMatrix(gradient), fromMatrix(&total)), 1e-12)
			}
		})
	}
}

func TestMatrixFormsTakeRuns(t *testing.T) {
	rng := newRand(11)
	v, a := gaussian(rng, 2, 5, 3), gaussian(rng, 2, 5, 5)
	p := newProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.MatrixOMM(in[0], in[1], 2), ommlx.MatrixOMMNeumann(in[0], in[1], 2)}
	})
	both := p.call(t, v, a)
	for r := range 2 {
		for i, one := range p.call(t, v.run(r), a.run(r)) {
			require.InEpsilon(t, one.Data[0], both[i].Data[r], 1e-12)
		}
	}
}

// A mixture of orders is the weighted sum of its orders.
func TestMixtureOfOrders(t *testing.T) {
	at := gaussianPoint(newRand(12), 20, 3)
	weights := []float64{0.5, 0, 2}
	mixed := evaluateOnce(t, ommlx.OMM{Orders: weights}, at, nil)
	loss, dF := 0.0, newArray(20, 3)
	for i, w := range weights {
		one := evaluateOnce(t, ommlx.OMM{Orders: order(i + 1)}, at, nil)
		loss += w * one.loss.Data[0]
		floats.AddScaled(dF.Data, w, one.dF.Data)
	}
	require.InEpsilon(t, loss, mixed.loss.Data[0], 1e-12)
	requireClose(t, dF, mixed.dF, 1e-12, "gradient")
}

// With f = √μ·w_i for one eigenvector, L^(p) = λ((1−μ)^{2p} − 1), so dL/dμ = −2pλ(1−μ)^{2p−1}. For a negative eigenvalue
// that falls without bound; after a shift by κ ≥ −λ it is bounded below by −(λ+κ).
func TestAlongAnEigenvector(t *testing.T) {
	ray := claims.Of(t, "negative-eigenvalue-ray")
	shift := claims.Of(t, "shift-makes-psd")
	rng := newRand(13)
	eigenvalues := []float64{2, 0.5, -0.75}
	a, w := symmetric(rng, eigenvalues)
	for p := 1; p <= 3; p++ {
		plain := newProgram(t, lossProgram(ommlx.OMM{Orders: order(p)}))
		shifted := newProgram(t, lossProgram(ommlx.Shifted{Objective: ommlx.OMM{Orders: order(p)}, Kappa: 1}))
		for i, lambda := range eigenvalues {
			for _, mu := range []float64{0.1, 0.5, 1, 1.5, 4, 100} {
				v := mat.NewDense(3, 1, nil)
				v.Scale(math.Sqrt(mu), w.ColView(i))
				along := func(lambda float64) float64 { return lambda * (math.Pow(1-mu, float64(2*p)) - 1) }
				size := 1 + math.Pow(1+mu, float64(2*p))

				e := evaluate(t, plain, matrixPoint(v, a), nil)
				within(t, ray.Printed, "largest relative difference of the loss at c·w_j and λ_j((1 − c²)^{2p} − 1), p = 1, 2, 3",
					math.Abs(along(lambda)-e.loss.Data[0])/size, 1e-11)
				// dL/dμ by the chain rule: dF/dμ = F/(2μ), dTF/dμ = TF/(2μ).
				at := matrixPoint(v, a)
				slope := 0.0
				for j := range at.f.Data {
					slope += (e.dF.Data[j]*at.f.Data[j] + e.dTF.Data[j]*at.tf.Data[j]) / (2 * mu)
				}
				wantSlope := -2 * float64(p) * lambda * math.Pow(1-mu, float64(2*p-1))
				within(t, ray.Printed, "of its slope in c²", math.Abs(wantSlope-slope)/(size*float64(p)/mu), 1e-11)

				after := evaluate(t, shifted, matrixPoint(v, a), nil).loss.Data[0]
				within(t, shift.Printed, "relative difference of the shifted loss along w_j and (λ_j + κ)((1 − c²)^{2p} − 1), p = 1, 2, 3",
					math.Abs(along(lambda+1)-after)/size, 1e-11)
				within(t, shift.Printed, "how far it is below −(λ_j + κ)", excess(-(lambda+1), after), 1e-12)
			}
		}
		// The prediction above with λ = −0.75 and c² = μ = 10⁶: below any bound that a minimum could have.
		v := mat.NewDense(3, 1, nil)
		v.Scale(1e3, w.ColView(2))
		within(t, ray.Printed, "loss at c = 1,000, λ_j = −0.75", evaluate(t, plain, matrixPoint(v, a), nil).loss.Data[0], -1e11)
	}
}

// Shifting by κ is the penalty κ‖VᵀV − I‖²_F but for the constant κk (section 2.2.3: "equivalent").
func TestShiftIsOrthonormalityPenalty(t *testing.T) {
	claim := claims.Of(t, "shift-is-penalty")
	rng := newRand(14)
	const k, kappa = 3, 0.7
	a, _ := symmetric(rng, []float64{3, 1, 0.5, -0.2, -1})
	at := matrixPoint(gaussian(rng, 5, k).matrix(), a)
	penalised := newProgram(t, func(in []*Node) []*Node {
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: in[0], TF: in[1]}, nil)
		m := ommlx.SecondMoment(in[0], in[0])
		penalty := MulScalar(ReduceAllSum(Square(Sub(m, DiagonalWithValue(ScalarOne(m.Graph(), m.DType()), k)))), kappa)
		// TF is A·F, so its gradient reaches F through the symmetric A.
		total := Add(loss, penalty)
		g := Gradient(total, in[0], in[1])
		return []*Node{total, Add(g[0], MatMul(in[2], g[1]))}
	})
	want := penalised.call(t, at.f, at.tf, fromMatrix(a))
	e := evaluateOnce(t, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: kappa}, at, nil)
	within(t, claim.Corrected, "relative difference of the shifted loss and the penalised one less κk", difference(want[0].Data[0]-kappa*k, e.loss.Data[0]), 1e-12)
	// dF of the shifted loss already holds κ times what arrives at TF + κF.
	var total mat.Dense
	total.Mul(a, e.dTF.matrix())
	total.Add(&total, e.dF.matrix())
	within(t, claim.Corrected, "of their gradients", arrayDifference(want[1], fromMatrix(&total)), 1e-12)
}
