package verify

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// How 1 − μ ends, for a mode under gradient flow. From μ̇ = 8λμ Σ_p p w_p (1 − μ)^{2p−1}, with w_p the weight of order
// p: order 1 decays exponentially at the rate 8λ, and so does a mixture with order 1 in it, at 8λw_1; without order 1
// it is a power of time, t^{−1/(2p−2)} for the least order p there is.
func TestNormsDecayByAPowerOfTimeWithoutOrderOne(t *testing.T) {
	claim := papertest.Of(t, "higher-order-near-the-minimum")
	const lambda = 0.7
	s := newSpectrum(testkit.NewRand(800), lambda, 0.6, 0.5)
	for _, c := range []struct {
		orders              []float64
		start, time, step   float64
		rate, power, within float64
	}{
		{[]float64{1}, 0.5, 2.5, 0.02, 8 * lambda, 0, 0.01},
		{[]float64{1, 1}, 0.5, 2.5, 0.02, 8 * lambda, 0, 0.01},
		{[]float64{0.25, 0.75}, 0.5, 8, 0.04, 2 * lambda, 0, 0.01},
		{[]float64{0, 1}, 0.8, 400, 0.5, 0, 1.0 / 2, 0.02},
		{[]float64{0, 0, 1}, 0.8, 3000, 5, 0, 1.0 / 4, 0.03},
		{[]float64{0, 1, 1}, 0.8, 400, 0.5, 0, 1.0 / 2, 0.02},
	} {
		omm := ommlx.OMM{Orders: c.orders}
		var clock, left []float64
		Flow(onMatrix(t, omm), Scaled(math.Sqrt(c.start), s.mode(0)), s.a, c.time, c.step,
			func(time float64, v *mat.Dense) {
				if time > c.time/2 { // the end of it
					clock, left = append(clock, time), append(left, 1-square(mat.Norm(v, 2)))
				}
			})
		exponent := DecayRate(clock, left)
		if c.power > 0 {
			exponent = -PowerLaw(clock, left)
		}
		claim.Corrected.Within(t, fmt.Sprintf("exponent of the decay of 1 − μ, relative, %s", omm.Name()),
			math.Abs(exponent/(c.rate+c.power)-1), c.within)
	}
}

// On orthonormal columns the gradient flow of every order is the same flow, −∇L = 2(I − VVᵀ)AV, and stays on them. So
// the order has no part in how fast the space turns there: sin θ falls by the same exponential, at the rate
// 2(λ_k − λ_{k+1}).
func TestEveryOrderTurnsTheSpaceAtTheSameRate(t *testing.T) {
	claim := papertest.Of(t, "higher-order-near-the-minimum")
	const k, time, step = 3, 12.0, 0.02
	s := newSpectrum(testkit.NewRand(801), 2, 1.5, 1.2, 0.7, 0.4, 0.1)
	start, rest := s.orthonormal(k), Columns(s.w, k, libraryStates)
	var first []*mat.Dense
	for p, program := range ommLosses(t) {
		var path []*mat.Dense
		var times, sines []float64
		Flow(program, start, s.a, time, step, func(now float64, v *mat.Dense) {
			if path = append(path, v); now > time/2 {
				times, sines = append(times, now), append(sines, mat.Norm(Product(rest.T(), v), 2))
			}
		})
		if p == 0 {
			first = path
			claim.Corrected.Within(t, "rate at which the angle falls, relative, from 2(λ_k − λ_{k+1})",
				math.Abs(DecayRate(times, sines)/(2*(s.values[k-1]-s.values[k]))-1), 0.01)
			continue
		}
		for i := range path {
			claim.Corrected.Same(t, "paths of orders 2 and 3 from that of order 1, from orthonormal columns", first[i],
				path[i], 1e-5)
		}
	}
}

// Where higher order does help gradient descent. The curvatures at W_{1:k} are 4(λ_i + λ_j) w_1 in norms and overlaps,
// which order p > 1 leaves flat, and 2(λ_i − λ_l) Σ_p w_p in turns. The largest step that is stable is 2 over the
// largest of them: it is limited by the norms to 1/(4λ_1) for p = 1, and by the turns to 1/(λ_1 − λ_d) for p > 1, so
// that the number of steps for an angle is proportional to 4λ_1/(λ_k − λ_{k+1}) and to (λ_1 − λ_d)/(λ_k − λ_{k+1}). A
// quarter of order 1 with three quarters of order 2 has the second condition number, and a minimum that is not flat.
func TestHigherOrderAllowsLargerSteps(t *testing.T) {
	claim := papertest.Of(t, "higher-order-can-help")
	const k = 3
	s := newSpectrum(testkit.NewRand(802), 1, 0.9, 0.8, 0.5, 0.3, 0.02)
	turn := s.values[0] - s.values[libraryStates-1]
	first := 0.0 // steps of order 1 in which the angle falls by e
	for _, c := range []struct {
		orders  []float64
		largest float64 // curvature
	}{
		{[]float64{1}, 8 * s.values[0]},
		{[]float64{0, 1}, 2 * turn},
		{[]float64{0, 0, 1}, 2 * turn},
		{[]float64{1, 1}, 8 * s.values[0]},
		{[]float64{0.25, 0.75}, max(2*s.values[0], 2*turn)},
	} {
		omm := ommlx.OMM{Orders: c.orders}
		program := onMatrix(t, omm)
		// away descends from near W_{1:k} and returns the distance from the leading projector after each step.
		away := func(size float64, steps int) (distances []float64) {
			noise := Scaled(1e-3, Gaussian(testkit.NewRand(803), libraryStates, k))
			Descend(program, Combine(1, s.leading(k), 1, noise), s.a, size, steps, func(_ int, v *mat.Dense) bool {
				distance := mat.Norm(Product(Columns(s.w, k, libraryStates).T(), v), 2)
				if c.largest > 2*turn { // the norms are what becomes unstable
					distance += mat.Norm(Combine(1, Gram(v), -1, Eye(k)), 2)
				}
				distances = append(distances, distance)
				return true
			})
			return distances[1:]
		}
		limit := 2 / c.largest
		below, above := away(0.95*limit, 150), away(1.05*limit, 25)
		claim.Corrected.Within(t, fmt.Sprintf("distance left of 1e-3 after 150 steps of 0.95 times the limit, %s",
			omm.Name()), below[149], 2e-4)
		require.Greater(t, above[24], 2*above[0], "%s: 1.05 times the limit", omm.Name())

		// The rate of the slowest turn at half the limit, while the angle falls from 1e-7 to 1e-10.
		want := 1 - limit*floats.Sum(c.orders)*(s.values[k-1]-s.values[k])
		from, to := int(math.Log(1e-4)/math.Log(want)), int(math.Log(1e-7)/math.Log(want))
		slow := away(limit/2, to+1)
		factor := math.Pow(slow[to]/slow[from], 1/float64(to-from))
		claim.Corrected.Within(t, fmt.Sprintf("factor of the angle in a step of half the limit, %s", omm.Name()),
			math.Abs(factor-want), 5e-3)
		steps := -1 / math.Log(factor)
		if first == 0 {
			first = steps
			continue
		}
		claim.Printed.Within(t, "steps for an angle near the minimum at half the largest stable step, over those for "+
			"order 1, every order and mixture", steps/first, 1)
		claim.Note("%s: %.2f of the steps of order 1", omm.Name(), steps/first)
	}
}

// Noise. Take a batch of B samples at the eigenfunctions themselves, with Ê = I − M̂ and ŝ_l = M̂[f, φ_l] for a
// function φ_l outside. The batch loss exceeds the minimum by tr(Ê^{2p}Λ), and pulls f_i towards φ_l with the gradient
//
//	(λ_i − λ_l) (M̂⁻¹ŝ_l)_i + O(B^{−p}).
//
// The first part is in proportion to the gap, as is the force 2(λ_i − λ_l) that brings f_i back. The second is not. For
// p = 1 it is −2((ΛÊ + ÊΛ)ŝ_l)_i up to (λ_i − λ_l) O(1/B), and turns the learned space by about 1/(B·gap); higher
// orders are rid of it. For p → ∞ the loss is that of the Rayleigh quotient −tr(M̂⁻¹M̂[f,Tf]), which has the first part
// alone.
func TestHigherOrderIsLessMovedByTheBatch(t *testing.T) {
	claim := papertest.Of(t, "higher-order-can-help")
	values := []float64{1, 0.9, 0.8, 0.75, 0.7, 0.65}
	const d, k, draws = libraryStates, 3, 15
	lambda, inside := mat.NewDiagDense(d, values), mat.NewDiagDense(k, values[:k])
	gaps := func(x *mat.Dense) *mat.Dense { // times λ_i − λ_l
		x = mat.DenseCopyOf(x)
		x.Apply(func(l, i int, v float64) float64 { return (values[i] - values[k+l]) * v }, x)
		return x
	}
	for p := 1; p <= 3; p++ {
		program := testkit.NewProgram(t, func(in []*Node) []*Node { // V, d×k; the modes' values, B×d; Λ
			f := MatMul(in[1], in[0])
			loss, _ := ommlx.OMM{Orders: ommlx.Order(p)}.Loss(ommlx.Batch{F: f,
				TF: MatMul(in[1], MatMul(in[2], in[0]))}, nil)
			return []*Node{loss, Gradient(loss, in[0])[0]}
		})
		sizes, rest := []float64{256, 1024, 4096}, []float64(nil)
		for _, batch := range sizes {
			rng, sum := testkit.NewRand(804), 0.0
			for range draws {
				modes := testkit.Gaussian(rng, int(batch), d)
				v := Columns(Eye(d), 0, k)
				out := program.Call(t, testkit.FromMatrix(v), modes, testkit.FromMatrix(lambda))
				moments := ommtest.SecondMoment(modes, modes).Matrix()
				m := mat.DenseCopyOf(moments.Slice(0, k, 0, k))
				e := defect(m)
				claim.Corrected.Agree(t, "excess of a batch's loss at the eigenfunctions, from tr(Ê^{2p}Λ)",
					mat.Trace(Product(Power(e, 2*p), inside)), out[0].Data[0]+floats.Sum(values[:k]), 1e-12)
				turning := mat.DenseCopyOf(out[1].Matrix().Slice(k, d, 0, k))
				outside := mat.DenseCopyOf(moments.Slice(k, d, 0, k)) // row l is ŝ_l
				if p == 1 {
					want := gaps(Combine(1, outside, 1, Product(outside, e)))
					want = Combine(1, want, -2, Product(outside, Combine(1, Product(inside, e), 1, Product(e, inside))))
					claim.Corrected.Same(t, "a batch's pull of order 1 from its closed form", want, turning, 1e-12)
				}
				pull := Combine(1, turning, -1, gaps(Product(outside, inverse(t, m))))
				sum += math.Log(mat.Norm(pull, 2))
			}
			rest = append(rest, math.Exp(sum/draws))
		}
		slope := PowerLaw(sizes, rest)
		claim.Corrected.Within(t,
			fmt.Sprintf("exponent of B in the part of a batch's pull that knows no gap, from −p, p = %d", p),
			math.Abs(slope+float64(p)), 0.25)
		claim.Note("p = %d: that part falls as B^%.2f", p, slope)
	}
}
