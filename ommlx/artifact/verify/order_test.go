package verify

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// Sections 2.2.2, 2.2.3 and appendix D, for any symmetric A and R = I − VVᵀ: −tr(Q_pVᵀAV) is tr(R^{2p}A) − tr A, also
// for zero and repeated columns and for more columns than rows. ∇L^(p) = −2 (Σ_{i<2p} RⁱAR^{2p−1−i}) V. For A + κI,
// L^(p) grows by κ‖(I − VᵀV)^p‖²_F − κk. Orders can be mixed.
func TestEveryOrder(t *testing.T) {
	forms, shift := papertest.Of(t, "omm-p-forms").Corrected, papertest.Of(t, "shift-is-penalty").Corrected
	single, mixture := papertest.Of(t, "omm-p-gradient").Printed, papertest.Of(t, "mixture").Printed
	var original [4]Loss
	for p := 1; p <= 3; p++ {
		original[p] = graphLoss(func(v, a *Node) *Node { return MatrixOMM(v, a, p) })
	}
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v, kappa := s.gaussian(0.4, k), drawNumber(t, 0, 5)
		rank := rapid.IntRange(1, 2).Draw(t, "rank")
		columns := rapid.SampledFrom([]int{3, states + 2}).Draw(t, "columns")
		low := Product(s.gaussian(1, rank), Scaled(0.4, RandomGaussian(s.rng, rank, columns)))
		low.SetCol(0, make([]float64, states))
		var losses [4]float64
		var gradients [4]*mat.Dense
		for p := 1; p <= 3; p++ {
			loss, _ := original[p](low, s.a)
			want, _ := traceForm(p, low, s.a)
			size := 1 + 10*math.Pow(1+squaredNorm(low), float64(2*p))
			forms.Within(t, "relative difference of the two forms, V of lower rank", math.Abs(want-loss)/size, 1e-12)

			_, gradient := traceForm(p, v, s.a)
			losses[p], gradients[p] = order(p)(v, s.a)
			single.EqualMatrix(t, "largest difference, p = 1, 2, 3", gradient, gradients[p], 1e-11)

			shifted := omm(p, v, Sum(s.a, Scaled(kappa, IdentityMatrix(states))))
			penalty := kappa * squaredNorm(Power(defect(Gram(v)), p))
			difference := math.Abs(losses[p]+penalty-kappa*float64(k)-shifted) / (1 + math.Abs(shifted) + penalty)
			shift.Within(t, "relative difference of shift and penalty less κk, p = 1, 2, 3", difference, 1e-10)
		}
		loss, gradient := onMatrix(ommlx.OMM{Orders: []float64{1, 1}})(v, s.a)
		mixture.Equal(t, "largest difference of the loss", losses[1]+losses[2], loss, 1e-12)
		mixture.EqualMatrix(t, "of the gradient", Sum(gradients[1], gradients[2]), gradient, 1e-12)
		loss, gradient = OMM([]float64{1, 0, 2})(v, s.a)
		sum := Sum(gradients[1], Scaled(2, gradients[3]))
		require.Less(t, papertest.Difference(losses[1]+2*losses[3], loss), 1e-11)
		require.Less(t, mat.Norm(Difference(sum, gradient), 2), 1e-11*(1+mat.Norm(sum, 2)))
	})
}

// Appendix D compares orders at an idempotent R = I − VVᵀ. The printed difference −4(p−1)RARV is right, but RV = 0, so
// the difference and Δ are zero.
func TestOrdersAgreeOnOrthonormalColumns(t *testing.T) {
	idempotent, larger := papertest.Of(t, "idempotent-simplification"), papertest.Of(t, "higher-order-larger-gradients")
	proportional := papertest.Of(t, "omm1-gradient-proportional")
	forAll(t, 1, 0.1, 4, func(t *rapid.T, s spectrum, _ int) {
		v := s.orthonormal(3)
		r := residual(v)
		extra := Product(r, s.a, r, v)
		idempotent.Corrected.Within(t, "RARV where R = I − VVᵀ is idempotent", mat.Norm(extra, 2), 1e-13)
		_, first := order(1)(v, s.a)
		for p := range 3 { // the order is p + 1
			_, gradient := order(p+1)(v, s.a)
			papertest.Every(idempotent.Corrected, proportional.Corrected).EqualMatrix(t,
				"difference of ∇L^(p) from −2RAV where VᵀV = I, p = 1, 2, 3", Scaled(-2, Product(r, s.a, v)), gradient,
				1e-11)
			idempotent.Printed.EqualMatrix(t, "difference of ∇L^(p) − ∇L^(1) from −4(p−1)RARV",
				Scaled(-4*float64(p), extra), Difference(gradient, first), 1e-11)
			delta := 16*square(float64(p)*mat.Norm(extra, 2)) - 8*float64(p)*mat.Trace(Product(first.T(), extra))
			if p > 0 {
				idempotent.Printed.Beyond(t, "share of V with VᵀV = I where Δ ≤ 10⁻¹⁰", whether[delta <= 1e-10], 0)
				larger.Printed.Beyond(t, "share of V with VᵀV = I where ‖∇L^(p)‖ is not above ‖∇L^(1)‖ by 10⁻¹⁰",
					whether[mat.Norm(gradient, 2) <= mat.Norm(first, 2)+1e-10], 0)
			}
			idempotent.Corrected.Within(t, "Δ where R = I − VVᵀ is idempotent", math.Abs(delta), 1e-10)
		}
	})
	diagonal := mat.NewDense(2, 1, []float64{math.Sqrt(0.5), math.Sqrt(0.5)})
	_, gradient := order(1)(diagonal, mat.NewDense(2, 2, []float64{1, 0, 0, 0}))
	proportional.Printed.Beyond(t, "‖∇L^(1)‖ at V = (1, 1)ᵀ/√2, where ‖I − VᵀV‖ = 0", mat.Norm(gradient, 2), 1e-12)
}

// Appendix D and section 3.3: at V = (w_1, w_2, √μ w_3) the gradient of order p is p times the gradient of order 1 as μ
// → 0. Under gradient flow μ̇ = 8pλμ(1 − μ)^{2p−1}, so ln(μ/(1−μ)) = 8λt + c for p = 1, and ln(μ/(1−μ)) + 1/(1−μ) +
// 1/(2(1−μ)²) = 16λt + c for p = 2, which starts faster but later has 1 − μ ≈ 1/√(32λt).
func TestNormOfAModeInClosedForm(t *testing.T) {
	larger, near := papertest.Of(t, "higher-order-larger-gradients"), papertest.Of(t, "higher-order-near-the-minimum")
	escapes := papertest.Of(t, "higher-order-escapes-flat-minima")
	const lambda, start = 1.5, 0.01
	s := newSpectrum(testkit.NewRand(780), 3, 2, lambda, 1, 0.5)
	of := func(mu float64) *mat.Dense { return augmented(s.leading(2), Scaled(math.Sqrt(mu), s.mode(2))) }
	for p := 2; p <= 3; p++ {
		ratio := func(mu float64) float64 {
			_, first := order(1)(of(mu), s.a)
			_, gradient := order(p)(of(mu), s.a)
			return mat.Norm(gradient, 2) / mat.Norm(first, 2)
		}
		what := fmt.Sprintf("norm of the gradient of order %d over that of order 1 at μ = 10⁻⁴, from %d", p, p)
		papertest.Every(larger.Corrected, escapes.Printed).Near(t, what, float64(p), ratio(1e-4), 0.01)
		escapes.Note("order %d: %.2f at μ = 10⁻⁴, %.2f at 0.1, %.2f at 0.3", p, ratio(1e-4), ratio(0.1), ratio(0.3))
	}
	var left [2][]float64
	for i, clock := range []func(mu float64) float64{
		func(mu float64) float64 { return math.Log(mu/(1-mu)) / (8 * lambda) },
		func(mu float64) float64 { return (math.Log(mu/(1-mu)) + 1/(1-mu) + 1/(2*square(1-mu))) / (16 * lambda) },
	} {
		Flow(order(i+1), of(start), s.a, 1.5, 0.01, func(time float64, v *mat.Dense) {
			mu := squaredNorm(v.ColView(2))
			left[i] = append(left[i], 1-mu)
			if time < 1 { // later, 1 − μ of order 1 is below rounding error
				near.Corrected.Near(t, "time of a mode's flow from the closed form", time, clock(mu)-clock(start), 1e-4)
			}
		})
	}
	near.Printed.Beyond(t, "1 − μ of order 2 over 1 − μ of order 1, near the minimum", left[1][149]/left[0][149], 1)
	near.Note("1 − μ after time 0.2, started at μ = %g: %.2f for p = 1, %.2f for p = 2; after 1.5: %.0e and %.2f",
		start, left[0][20], left[1][20], left[0][149], left[1][149])
}

// The curvatures at W_{1:k} are 4(λ_i + λ_j) w_1 in norms and overlaps, which order p > 1 leaves flat, and 2(λ_i − λ_l)
// Σ_p w_p in rotations. The largest stable step is 2 over the largest curvature: 1/(4λ_1) for p = 1 and 1/(λ_1 − λ_d)
// for p > 1. A quarter of order 1 with three quarters of order 2 also allows the larger step.
func TestHigherOrderAllowsLargerSteps(t *testing.T) {
	claim := papertest.Of(t, "higher-order-can-help")
	const k = 3
	s := newSpectrum(testkit.NewRand(802), 1, 0.9, 0.8, 0.5, 0.3, 0.02)
	turn := s.values[0] - s.values[states-1]
	first := 0.0 // steps of order 1 per factor e of the angle
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
		omm, limit := ommlx.OMM{Orders: c.orders}, 2/c.largest
		l, noise := onMatrix(omm), Scaled(1e-3, RandomGaussian(testkit.NewRand(803), states, k))
		start := Sum(s.leading(k), Scaled(1e-3, noise))
		_, before := l(start, s.a)
		for _, share := range []float64{0.98, 1.02} {
			_, after := l(Descend(l, start, s.a, share*limit, 200, nil), s.a)
			claim.Corrected.Near(t,
				"distance of the gradient's factor in steps of 0.98 and 1.02 times the limit from 0.96 and 1.04",
				2*share-1, math.Pow(mat.Norm(after, 2)/mat.Norm(before, 2), 1./200), 0.015)
		}
		// The rate of the slowest rotation at half the limit, while the angle falls from 1e-7 to 1e-10.
		want := 1 - limit*floats.Sum(c.orders)*(s.values[k-1]-s.values[k])
		from, to := int(math.Log(1e-4)/math.Log(want)), int(math.Log(1e-7)/math.Log(want))
		var angles []float64
		Descend(l, Sum(s.leading(k), noise), s.a, limit/2, to+1, func(_ int, v *mat.Dense) bool {
			angles = append(angles, mat.Norm(Product(Columns(s.w, k, states).T(), v), 2))
			return true
		})
		factor := math.Pow(angles[to+1]/angles[from+1], 1/float64(to-from))
		claim.Corrected.Near(t, "factor of the angle in a step of half the limit, "+omm.Name(), want, factor, 5e-3)
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

// coefficients are the c_j of OMM-p's loss Σ_j c_j tr(M^{j−1}N), M = M[f], N = M[f,Tf].
var coefficients = map[int][]float64{1: {-2, 1}, 2: {-4, 6, -4, 1}}

// Section 2.3.1. A stop-gradient on one side of an entry of M or N removes one summand from the derivative of the loss.
// So if stop-gradients gave the gradient of a prefix, it would be a combination of those summands with coefficients 0
// and 1. Least squares finds the best real coefficients: they fit for p = 1, as Eq. (9) says, and not for p = 2.
func TestNoMaskGivesSequentialNestingAtOrder2(t *testing.T) {
	claim := papertest.Of(t, "seq-higher-order-hard")
	misfit := func(p int) float64 {
		const k, i = 3, 1
		var rows, want []float64
		for seed := range uint64(60) {
			rng := testkit.NewRand(9_000 + seed)
			f, g := RandomGaussian(rng, 2*k, k), RandomGaussian(rng, 2*k, k)
			prefix := summandsOf(coefficients[p], Columns(f, 0, i+1), Columns(g, 0, i+1), i)
			rows = append(rows, summandsOf(coefficients[p], f, g, i).RawMatrix().Data...)
			for b := range 2 * k {
				want = append(want, floats.Sum(prefix.RawRowView(b)))
			}
		}
		m, y, x := mat.NewDense(len(want), len(rows)/len(want), rows), mat.NewDense(len(want), 1, want), &mat.Dense{}
		var svd mat.SVD
		require.True(t, svd.Factorize(m, mat.SVDThin))
		svd.SolveTo(x, y, svd.Rank(1e-12))
		return mat.Norm(Difference(Product(m, x), y), 2) / mat.Norm(y, 2)
	}
	require.Less(t, misfit(1), 1e-12, "p = 1, where the mask of Eq. (9) fits")
	left := misfit(2)
	claim.Printed.Within(t, "0.01 less the share of the prefix's gradient that no mask gives, OMM-2", 0.01-left, 0)
	claim.Note("the best coefficients leave %.0f %% of the prefix's gradient at order 2, nothing at order 1", 100*left)
}

// summandsOf returns the summands of the derivative of Σ_j c_j tr(M^{j−1}N) with respect to f_i, a column for each side
// of each entry of each factor. f and g = Tf are B×k.
func summandsOf(coefficients []float64, f, g *mat.Dense, i int) *mat.Dense {
	batch, k := f.Dims()
	mean := 1 / float64(batch)
	m, n := Scaled(mean, Gram(f)), Scaled(mean, Product(f.T(), g))
	var all []float64
	for j, c := range coefficients { // c tr(M^j N)
		add := func(of *mat.Dense, weights []float64) {
			all = append(all, Product(Scaled(c*mean, mat.NewDiagDense(k, weights)), of.T()).RawMatrix().Data...)
		}
		add(g, mat.Col(nil, i, Power(m, j)))
		for a := range j { // tr(M^a dM M^{j−1−a} N)
			w := Product(Power(m, j-1-a), n, Power(m, a))
			add(f, mat.Col(nil, i, w))
			add(f, mat.Row(nil, i, w))
		}
	}
	return mat.DenseCopyOf(mat.NewDense(len(all)/batch, batch, all).T())
}

// Section 2.3.1: for p > 1 the loss of the prefix i with all functions except f_i stopped is the loss of the leading
// i×i block of M^seq with its first i − 1 rows and columns stopped. The sum over i has the gradients of sequential
// nesting.
func TestSequentialNestingAtHigherOrder(t *testing.T) {
	claim := papertest.Of(t, "seq-higher-order-hard")
	const batch, k = 12, 4
	rng := testkit.NewRand(25)
	f, tf := RandomGaussian(rng, batch, k), RandomGaussian(rng, batch, k)
	_, sumDF, sumDTF := onValues(func(f, tf *Node) *Node {
		m, n := ommlx.SeqSecondMoment(f, f), ommlx.SeqSecondMoment(f, tf)
		sum := ScalarZero(m.Graph(), m.DType())
		for i := range k {
			// The block 1:i of a moment, stopped except for its row and column i.
			ofI := func(x *Node) *Node {
				x = Slice(x, AxisRange(0, i+1), AxisRange(0, i+1))
				index := Iota(x.Graph(), x.Shape(), 0)
				live := Max(index, Transpose(index, 0, 1))
				return Where(Equal(live, MulScalar(OnesLike(live), i)), x, StopGradient(x))
			}
			power := ofI(n)
			for _, c := range coefficients[2] { // c tr(M^j N)
				sum = Add(sum, MulScalar(ReduceAllSum(Mul(power, ommlx.IdentityLike(power))), c))
				power = MatMul(ofI(m), power)
			}
		}
		return sum
	})(f, tf)
	// Column i of the wanted gradient is from the prefix that ends with function i.
	dF, dTF := mat.NewDense(batch, k, nil), mat.NewDense(batch, k, nil)
	for i := range k {
		_, df, dtf := onValues(prefixLoss(ommlx.OMM{Orders: ommlx.Order(2)}, i+1))(f, tf)
		dF.SetCol(i, mat.Col(nil, i, df))
		dTF.SetCol(i, mat.Col(nil, i, dtf))
	}
	claim.Corrected.EqualMatrix(t, "relative difference of gradients for f, sum and single prefixes, OMM-2", dF, sumDF,
		1e-12)
	claim.Corrected.EqualMatrix(t, "for Tf", dTF, sumDTF, 1e-12)
}
