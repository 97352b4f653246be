package theory

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/losstest"
)

// jointRates returns the eigenvalues of the Hessian of joint nesting at W_{1:k}, ascending. With m_i = Σ_{j≥i} α_j they
// are 2m_i(λ_i − λ_l) for l > k, 8m_iλ_i, and for each pair i < j ≤ k, whose functions exchange w_j and w_i, those of
//
//	(a+b  a)
//	(a    a),  a = 2m_j(λ_i + λ_j),  b = 2(m_i − m_j)(λ_i − λ_j).
func jointRates(lambda, alpha []float64) (rates []float64) {
	m := ommlx.JointWeights(alpha)
	for i := range m {
		rates = append(rates, 8*m[i]*lambda[i])
		for j := i + 1; j < len(m); j++ {
			a, b := 2*m[j]*(lambda[i]+lambda[j]), 2*(m[i]-m[j])*(lambda[i]-lambda[j])
			rates = append(rates, (2*a+b+math.Hypot(2*a, b))/2, (2*a+b-math.Hypot(2*a, b))/2)
		}
		for _, later := range lambda[len(m):] {
			rates = append(rates, 2*m[i]*(lambda[i]-later))
		}
	}
	slices.Sort(rates)
	return rates
}

// sequentialRates returns the eigenvalues of the Jacobian of a sequential rule, ascending: later·(λ_i − λ_l) for l > i,
// same·λ_i, and earlier(λ_i, λ_l) for l < i.
func sequentialRates(lambda []float64, k int, later, same float64,
	earlier func(i, l float64) float64) (rates []float64) {
	for i := range k {
		for l := range lambda {
			switch {
			case l > i:
				rates = append(rates, later*(lambda[i]-lambda[l]))
			case l == i:
				rates = append(rates, same*lambda[i])
			default:
				rates = append(rates, earlier(lambda[i], lambda[l]))
			}
		}
	}
	slices.Sort(rates)
	return rates
}

// Section 2.2.4 compares joint with sequential nesting only by experience. Their linearisations at the solution tell
// how fast descent is: after a while each step η multiplies the angles by 1 − η·(least eigenvalue), where η is bounded
// by the largest. Checked are the eigenvalues, for sequential LoRA and for joint nesting with several weights (for the
// other rules see TestOrderedEigenvectorsAttract), and that descent does what they say.
func TestLocalRatesAreThoseOfTheJacobian(t *testing.T) {
	claim := claims.Of(t, "seq-converges")
	const k = 3
	lambda := []float64{1, 0.6, 0.35, 0.2, 0.1}
	rng := graphtest.NewRand(760)
	a, w := losstest.Symmetric(rng, lambda)
	plain := columns(w, 0, k)
	scaled := prod(plain, mat.NewDiagDense(k, []float64{1, math.Sqrt(0.6), math.Sqrt(0.35)}))
	for _, c := range []struct {
		objective ommlx.Objective
		at        *mat.Dense
		rates     []float64
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, plain, sequentialRates(lambda, k, 2, 8,
			func(i, l float64) float64 { return 2 * (i + l) })},
		{ommlx.Sanger{}, plain, sequentialRates(lambda, k, 2, 4, func(i, _ float64) float64 { return 2 * i })},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, scaled, sequentialRates(lambda, k, 4, 8,
			func(i, _ float64) float64 { return 4 * i })},
		{ommlx.OMM{Nesting: ommlx.Joint}, plain, jointRates(lambda, []float64{1. / 3, 1. / 3, 1. / 3})},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{4, 2, 1}}, plain, jointRates(lambda, []float64{4, 2, 1})},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.1, 0.3, 0.6}}, plain,
			jointRates(lambda, []float64{0.1, 0.3, 0.6})},
	} {
		var eigen mat.Eigen
		require.True(t, eigen.Factorize(jacobian(t, c.objective, c.at, a), mat.EigenNone))
		var measured []float64
		for _, value := range eigen.Values(nil) {
			require.InDelta(t, 0, imag(value), 1e-4, c.objective.Name())
			measured = append(measured, real(value))
		}
		slices.Sort(measured)
		require.InDeltaSlice(t, c.rates, measured, 1e-5, c.objective.Name())

		least, eta := c.rates[0], 1/c.rates[len(c.rates)-1]
		settle, window := int(16/(eta*least)), int(2/(eta*least))
		program := graphtest.NewProgram(t, losstest.OnMatrix(c.objective))
		v := combine(1, c.at, 0.01, graphtest.Gaussian(rng, len(lambda), k).Matrix())
		var before float64
		for step := range settle + window {
			if step == settle {
				before = farthest(v, w)
			}
			_, gradient := evaluate(t, program, v, a)
			v = combine(1, v, -eta, gradient)
		}
		rate := (1 - math.Pow(farthest(v, w)/before, 1/float64(window))) / eta
		require.InEpsilon(t, least, rate, 0.02, "%s %v", c.objective.Name(), c.objective)
		if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
			claim.Printed("relative difference of the rate of descent and the least of them",
				math.Abs(rate/least-1), 0.02)
		}
	}
}

// farthest returns the largest sine of the angles between v_i and w_i.
func farthest(v, w *mat.Dense) (largest float64) {
	_, k := v.Dims()
	for i := range k {
		vi, wi := mat.Col(nil, i, v), mat.Col(nil, i, w)
		length := floats.Norm(vi, 2)
		floats.AddScaled(vi, -floats.Dot(vi, wi), wi)
		largest = math.Max(largest, floats.Norm(vi, 2)/length)
	}
	return largest
}

// Joint nesting tells v_i and v_{i+1} apart by the one prefix that holds the first and not the second. For a small gap
// the slow one of their two eigenvalues is α_i(λ_i − λ_{i+1}), against 2(λ_i − λ_{i+1}) in sequential nesting: 2k times
// slower with the paper's α_i = 1/k, at the same largest eigenvalue 8λ_1.
func TestJointNestingSeparatesNeighboursSlowly(t *testing.T) {
	claim := claims.Of(t, "seq-vs-joint")
	const k = 3
	a, w := losstest.Symmetric(graphtest.NewRand(770), []float64{1, 0.95, 0.3, 0.05})
	v := columns(w, 0, k)
	least := func(n ommlx.Nesting) (least, most float64) {
		var eigen mat.Eigen
		require.True(t, eigen.Factorize(jacobian(t, ommlx.OMM{Nesting: n}, v, a), mat.EigenNone))
		least = math.Inf(1)
		for _, value := range eigen.Values(nil) {
			least, most = math.Min(least, real(value)), math.Max(most, real(value))
		}
		return least, most
	}
	joint, jointMost := least(ommlx.Joint)
	sequential, sequentialMost := least(ommlx.Sequential)
	require.InEpsilon(t, 2*k, sequential/joint, 0.01)
	claim.Printed("slowest rate of joint nesting over that of sequential nesting, eigenvalues 1 and 0.95 among "+
		"three, in theory 1/(2k)", joint/sequential, 1)
	require.InEpsilon(t, 8, jointMost, 1e-5)
	require.InEpsilon(t, 8, sequentialMost, 1e-5)
}
