package verify

import (
	"math"
	"slices"
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

// Eq. (7): column i of the sequentially nested gradient is −2 ((I − V_iV_iᵀ) A v_i + A (I − V_iV_iᵀ) v_i) with V_i the
// first i columns. The whole gradient is that of the triangularised OFM. Sanger's update RAv with RA symmetrised is
// −1/4 of it.
func TestSequentialGradient(t *testing.T) {
	column, triangular := papertest.Of(t, "seq-gradient").Printed, papertest.Of(t, "seq-is-triofm").Printed
	symmetrised := papertest.Of(t, "sanger-rule").Printed
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v := s.gaussian(0.5, k)
		_, gradient := onMatrix(ommlx.OMM{Nesting: ommlx.Sequential})(v, s.a)
		_, sanger := onMatrix(ommlx.Sanger{})(v, s.a)
		_, lora := onMatrix(ommlx.LoRA{Nesting: ommlx.Sequential})(v, s.a)
		for i := range k {
			vi, r := Columns(v, i, i+1), residual(Columns(v, 0, i+1))
			ra, descent := Product(r, s.a), Scaled(-1, Columns(gradient, i, i+1))
			column.EqualMatrix(t, "largest relative difference of a column",
				Sum(Scaled(2, Product(ra, vi)), Scaled(2, Product(s.a, r, vi))), descent, 1e-11)
			symmetrised.EqualMatrix(t, "relative difference of 4 sym(RA)v_i and minus the gradient of OMM_seq",
				Scaled(4, Product(Sum(Scaled(0.5, ra), Scaled(0.5, ra.T())), vi)), descent, 1e-11)
			symmetrised.EqualMatrix(t, "of 2RAv_i and minus the gradient that trains Sanger's variant",
				Scaled(2, Product(ra, vi)), Scaled(-1, Columns(sanger, i, i+1)), 1e-11)
		}
		av := Product(s.a, v)
		nested := Sum(Product(v, upper(Product(v.T(), av))), Product(av, upper(Gram(v))))
		triangular.EqualMatrix(t, "relative difference of the gradients, OMM_seq",
			Sum(Scaled(-4, av), Scaled(2, nested)), gradient, 1e-11)
		triangular.EqualMatrix(t, "and LoRA_seq", Sum(Scaled(-4, av), Scaled(4, Product(v, upper(Gram(v))))), lora,
			1e-11)
	})
}

// Section 2.2.5: for one function J − Jᵀ = ±2(v(Av)ᵀ − (Av)vᵀ) for Sanger's RAv, zero only at an eigenvector.
func TestWhichRulesAreGradients(t *testing.T) {
	claim := papertest.Of(t, "sanger-no-potential")
	s := newSpectrum(testkit.NewRand(730), 3, 2, 1, 0.5)
	one, two := s.gaussian(0.5, 1), s.gaussian(0.5, 2)
	asymmetry := func(o ommlx.Objective, v *mat.Dense) float64 { // the largest |J − Jᵀ|
		j := Jacobian(onMatrix(o), v, s.a)
		return floats.Norm(Difference(j, j.T()).RawMatrix().Data, math.Inf(1))
	}
	const round, what = 1e-7, "largest |J − Jᵀ| of "
	sequential := ommlx.OMM{Nesting: ommlx.Sequential}
	claim.Corrected.Within(t, what+"OMM, k = 1", asymmetry(ommlx.OMM{}, one), round)
	claim.Corrected.Within(t, what+"OMM, k = 2", asymmetry(ommlx.OMM{}, two), round)
	claim.Corrected.Within(t, what+"OMM_jnt, k = 2", asymmetry(ommlx.OMM{Nesting: ommlx.Joint}, two), round)
	claim.Corrected.Within(t, what+"OMM_seq, k = 1", asymmetry(sequential, one), round)

	outer := Product(one, one.T(), s.a)
	largest := mat.Max(Difference(Scaled(4, outer), Scaled(4, outer.T())))
	claim.Printed.Near(t, what+"Sanger's rule, k = 1, from the largest entry of 4(v(Av)ᵀ − (Av)vᵀ)", largest,
		asymmetry(ommlx.Sanger{}, one), round)
	claim.Printed.Within(t, "0.1 less that entry", 0.1-largest, 0)
	claim.Note("largest |J − Jᵀ|: Sanger's rule, k = 1 %.2g; OMM_seq, k = 2 %.2g", largest, asymmetry(sequential, two))
}

func (s spectrum) rates(o ommlx.Objective, v *mat.Dense) []float64 {
	return testkit.Must(RealEigenvalues(Jacobian(onMatrix(o), v, s.a)))
}

// Section 2.2.4: at W_{1:k} the Jacobian of each rule has the eigenvalues of [Rates], all positive for distinct
// positive eigenvalues in order. For OMM_seq any other order of the columns has a negative one. Section 3.1: joint
// nesting separates v_i and v_{i+1} at the rate α_i(λ_i − λ_{i+1}), against 2(λ_i − λ_{i+1}) in sequential nesting,
// which is 2k times slower with the paper's α_i = 1/k.
func TestLocalRatesAreThoseOfTheJacobian(t *testing.T) {
	printed, slower := papertest.Of(t, "seq-converges").Printed, papertest.Of(t, "seq-vs-joint").Printed
	const k = 2
	s := newSpectrum(testkit.NewRand(735), 3, 2, 1, 0.5)
	sequential := ommlx.OMM{Nesting: ommlx.Sequential}
	for _, o := range []ommlx.Objective{sequential, ommlx.Sanger{}, ommlx.LoRA{Nesting: ommlx.Sequential},
		ommlx.OMM{Nesting: ommlx.Joint}, ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{4, 1}}} {
		at := s.leading(k)
		if _, ok := o.(ommlx.LoRA); ok {
			at = Product(at, diagonal(s.values[:k], math.Sqrt))
		}
		want, rates := testkit.Must(Rates(o, s.values, k)), s.rates(o, at)
		require.Positive(t, want[0])
		require.InDeltaSlice(t, want, rates, 1e-5, o.Name())
		if o.Name() == sequential.Name() {
			printed.Within(t, "largest distance of the Jacobian's eigenvalues at W_{1:k} from the closed forms",
				floats.Distance(want, rates, math.Inf(1)), 1e-5)
		}
	}
	printed.Within(t, "least eigenvalue with two columns exchanged",
		s.rates(sequential, augmented(s.mode(1), s.mode(0)))[0], -0.5)
	printed.Within(t, "and with an eigenvector left out", s.rates(sequential, augmented(s.mode(0), s.mode(2)))[0], -0.5)
	crowded := newSpectrum(testkit.NewRand(770), 1, 0.95, 0.3, 0.05)
	ratio := crowded.rates(ommlx.OMM{Nesting: ommlx.Joint}, crowded.leading(3))[0] /
		crowded.rates(sequential, crowded.leading(3))[0]
	slower("slowest rate of joint over sequential nesting, in theory 1/(2k), λ = 1, 0.95, …, k = 3", ratio, 1)
	require.InDelta(t, 1.0/6, ratio, 2e-3)
	for word, o := range map[string]ommlx.Objective{
		"for omm ": ommlx.OMM{}, "for omm_seq ": ommlx.OMM{Nesting: ommlx.Sequential, Weights: []float64{2, 1}},
		"for omm[2]_jnt ": ommlx.OMM{Nesting: ommlx.Joint, Orders: []float64{2}},
		"has 3 entries":   ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{3, 2, 1}},
	} {
		_, err := Rates(o, s.values, k)
		require.ErrorContains(t, err, word)
	}
}

// Sections 2.2.5 and 3.2.1. For v = √μ·v̂ with τ = v̂ᵀAv̂ the descent directions are √μ (a (A − τ)v̂ + b v̂) with (a,
// b) as in the table: for μ > 2 OMM turns v to the lowest eigenvector, and the others always turn it to the highest.
func TestSangerReturnsWhereOMMRunsAway(t *testing.T) {
	claim := papertest.Of(t, "sanger-is-stable")
	a := mat.NewDense(2, 2, []float64{1, 0, 0, -0.5})
	starts := [][2]float64{{1, 1.5}, {1.5, 1.4}, {4, 1.0}, {2.5, 1.4}, {4, 1.4},
		{1.5, math.Pi / 2}} // squared norm, and angle to w_1
	var diverged [3]int
	for i, c := range []struct {
		objective ommlx.Objective
		direction func(mu, tau float64) (across, along float64)
	}{
		{ommlx.OMM{}, func(mu, tau float64) (float64, float64) { return 2 * (2 - mu), 4 * tau * (1 - mu) }},
		{ommlx.Sanger{}, func(mu, tau float64) (float64, float64) { return 2, 2 * tau * (1 - mu) }},
		{ommlx.LoRA{}, func(mu, tau float64) (float64, float64) { return 4, 4 * (tau - mu) }},
	} {
		forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, _ int) {
			mu, unit := drawNumber(t, 0.01, 9), s.orthonormal(1)
			tau := s.energy(unit)
			_, gradient := onMatrix(c.objective)(Scaled(math.Sqrt(mu), unit), s.a)
			across, along := c.direction(mu, tau)
			want := Sum(Scaled(across, Difference(Product(s.a, unit), Scaled(tau, unit))), Scaled(along, unit))
			claim.Corrected.EqualMatrix(t, "relative difference of the descent directions and their closed forms", want,
				Scaled(-1/math.Sqrt(mu), gradient), 1e-11)
		})
		for j, start := range starts {
			sin, cos := math.Sincos(start[1])
			v := Scaled(math.Sqrt(start[0]), mat.NewDense(2, 1, []float64{cos, sin}))
			v = Flow(onMatrix(c.objective), v, a, 7, 0.01, func(float64, *mat.Dense) {})
			if !(mat.Norm(v, 2) < 100) {
				diverged[i]++
			} else if i == 1 && (j == 1 || j == 2) {
				claim.Printed.Within(t, "distance from w_1 where Sanger's rule ends from squared norm 1.5 and 4, "+
					"starts from which OMM diverges", math.Hypot(v.At(0, 0)-1, v.At(1, 0)), 1e-6)
			}
		}
	}
	require.Equal(t, [3]int{5, 3, 0}, diverged, "OMM, Sanger's rule and LoRA")
	claim.Note("diag(1, −½), six starts, one along w_2: Sanger's rule diverges from %d, OMM from %d, LoRA from %d",
		diverged[1], diverged[0], diverged[2])
}

// first returns the first n functions.
func first(x *Node, n int) *Node { return Slice(x, AxisRange(), AxisRange(0, n)) }

// prefixLoss returns the loss of the first n functions as a function of all.
func prefixLoss(o ommlx.Objective, n int) func(f, tf *Node) *Node {
	return func(f, tf *Node) *Node { return lossOf(o)(first(f, n), first(tf, n)) }
}

// Section 2.3.1: joint nesting is Σ_i α_i L(f_1, …, f_i), computed by a mask at order 1 and by padded blocks at higher
// orders.
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	sum, mask := papertest.Of(t, "joint-objective").Printed, papertest.Of(t, "joint-mask-equation").Corrected
	const batch, k = 30, 4
	rng := testkit.NewRand(22)
	f, tf := RandomGaussian(rng, batch, k), RandomGaussian(rng, batch, k)
	for _, alpha := range [][]float64{{1. / k, 1. / k, 1. / k, 1. / k}, {0.5, 2, 0.125, 1}} {
		orders := []float64{1, 0, 0.5}
		for _, c := range []struct {
			plain, nested ommlx.Objective
			record        papertest.Measure
		}{
			{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, papertest.Every(sum, mask)},
			{ommlx.OMM{Orders: orders}, ommlx.OMM{Orders: orders, Nesting: ommlx.Joint, Weights: alpha}, sum},
			{ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha}, sum},
		} {
			prefixes := onValues(func(f, tf *Node) *Node {
				total := ScalarZero(f.Graph(), f.DType())
				for i, weight := range alpha {
					total = Add(total, MulScalar(prefixLoss(c.plain, i+1)(f, tf), weight))
				}
				return total
			})
			equal(t, c.record, prefixes, onValues(lossOf(c.nested)), f, tf,
				"largest relative difference of the joint loss and Σ_i α_i L(f_{1:i})", "of its gradient for f")
		}
	}
}

// equal compares two losses and their gradients.
func equal(t *testing.T, record papertest.Measure, want, got ValueLoss, f, tf *mat.Dense, value, gradient string) {
	loss, dF, dTF := want(f, tf)
	other, otherDF, otherDTF := got(f, tf)
	record.Equal(t, value, loss, other, 1e-13)
	record.EqualMatrix(t, gradient, dF, otherDF, 1e-13)
	record.EqualMatrix(t, "for Tf", dTF, otherDTF, 1e-13)
}

// Section 2.2.5: stochastic gradients with the second moment A_t of B samples instead of A. Across the eigenvectors
// Sanger and OMM_seq have the Jacobian 2(λ_i − λ_l), and at W_{1:k} the noise −2(I − VVᵀ)A_tv_i. With half the steps of
// Oja's rule, ½c/(t₀ + t), both have its error after n = Bt samples, [StreamingError]. A mean of 200 squares has an
// error of 10%.
func TestStreamedSamplesGiveTheErrorOfOjasRule(t *testing.T) {
	printed := papertest.Of(t, "streaming-pca").Printed
	const runs, batch, c, t0, d, k = 200, 10, 6, 30, 4, 2
	require.InEpsilon(t, PCAError([]float64{1, 0.6}, 0), StreamingError([]float64{1, 0.6}, 0, 1/(1-0.6)), 1e-12)
	lambda := []float64{1, 0.6, 0.2, 0.1} // A is diagonal: w_i is the i-th unit vector
	for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}} {
		program := testkit.Compile(t, func(in []*Node) []*Node {
			f := MulScalar(in[0], math.Sqrt(d))
			return Gradient(ReduceAllSum(lossOf(o)(f, Einsum("rde,rek->rdk", in[1], f))), in[0])
		})
		rng, moments := testkit.NewRand(780), testkit.NewArray(runs, d, d)
		v := testkit.FromTensor(Stacked(slices.Repeat([]*mat.Dense{Columns(IdentityMatrix(d), 0, k)}, runs)))
		steps, step := []float64{50, 100, 200, 400, 800}, 0.0
		squares := mat.NewDense(k, len(steps), nil) // mean of sin² per column at these steps
		for at, end := range steps {
			for ; step < end; step++ {
				for run := range runs {
					x := Product(RandomGaussian(rng, batch, d), diagonal(lambda, math.Sqrt))
					moments.Run(run).Matrix().Mul(x.T(), Scaled(1./batch, x))
				}
				floats.AddScaled(v.Data, -c/(t0+step+1)/2, program.Call(t, v, moments)[0].Data)
			}
			for run := range runs {
				for i, angle := range Angles(v.Run(run).Matrix(), IdentityMatrix(d)) {
					squares.Set(i, at, squares.At(i, at)+square(math.Sin(angle))/runs)
				}
			}
		}
		floats.AddConst(t0, steps)
		for i := range k {
			printed.Near(t, "distance from −1 of the slope of the squared error in the number of samples", -1,
				FitPower(steps, squares.RawRowView(i)), 0.15)
			printed.Near(t, "relative distance of that error after 8,000 samples from the theory of Oja's rule", 1,
				squares.At(i, 4)*batch*800/StreamingError(lambda, i, c), 0.3)
		}
	}
}
