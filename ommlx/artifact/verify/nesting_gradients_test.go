package verify

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Eq. (7), section 2.2.4: with V_i the first i columns, column i of the sequentially nested gradient is
//
//	−2 ((I − V_iV_iᵀ) A v_i + A (I − V_iV_iᵀ) v_i),
//
// and all of it is that of the triangularised OFM which the paper says OMM_seq is, −2 (2AV − V·triu(VᵀAV) −
// AV·triu(VᵀV)). Sanger's update RAv with RA made symmetric, (RA + AR)/2, is minus a quarter of it.
func TestSequentialGradient(t *testing.T) {
	gradientClaim, triangular := papertest.Of(t, "seq-gradient"), papertest.Of(t, "seq-is-triofm")
	symmetrised := papertest.Of(t, "sanger-rule")
	program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Sequential})
	lora, sanger := onMatrix(t, ommlx.LoRA{Nesting: ommlx.Sequential}), onMatrix(t, ommlx.Sanger{})
	upper := func(m *mat.Dense) *mat.Dense {
		u := mat.DenseCopyOf(m)
		u.Apply(func(i, j int, x float64) float64 {
			if i > j {
				return 0
			}
			return x
		}, m)
		return u
	}
	rapid.Check(t, func(t *rapid.T) {
		k := drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(0.5, k)
		_, gradient := program(v, s.a)
		_, sangerGradient := sanger(v, s.a)
		for i := range k {
			vi, r := Columns(v, i, i+1), residual(Columns(v, 0, i+1))
			gradientClaim.Printed.Same(t, "largest relative difference of a column",
				Combine(-2, Product(r, s.a, vi), -2, Product(s.a, r, vi)), Columns(gradient, i, i+1), 1e-11)
			ra := Product(r, s.a)
			averaged := Product(Combine(0.5, ra, 0.5, ra.T()), vi)
			symmetrised.Printed.Same(t, "relative difference of 4 sym(RA)v_i and minus the gradient of OMM_seq",
				Scaled(4, averaged), Scaled(-1, Columns(gradient, i, i+1)), 1e-11)
			symmetrised.Printed.Same(t, "of 2RAv_i and minus the gradient that trains Sanger's variant",
				Scaled(2, Product(ra, vi)), Scaled(-1, Columns(sangerGradient, i, i+1)), 1e-11)
		}
		av := Product(s.a, v)
		nested := Combine(1, Product(v, upper(Product(v.T(), av))), 1, Product(av, upper(Gram(v))))
		triangular.Printed.Same(t, "relative difference of the gradients, OMM_seq", Combine(-4, av, 2, nested),
			gradient, 1e-11)
		_, loraGradient := lora(v, s.a)
		triangular.Printed.Same(t, "and LoRA_seq", Combine(-4, av, 4, Product(v, upper(Gram(v)))), loraGradient, 1e-11)
	})
}

// Section 2.2.5: the Jacobian of Sanger's update is not symmetric, already for one function: J − Jᵀ = ±2(v(Av)ᵀ −
// (Av)vᵀ) of Sanger's RAv, twice that of the loss here, and zero at an eigenvector only.
func TestWhichRulesAreGradients(t *testing.T) {
	claim := papertest.Of(t, "sanger-no-potential")
	s := newSpectrum(testkit.NewRand(730), 3, 2, 1, 0.5)
	one, two := s.gaussian(0.5, 1), s.gaussian(0.5, 2)
	asymmetry := func(o ommlx.Objective, v *mat.Dense) float64 { // the largest |J − Jᵀ|
		j := Jacobian(onMatrix(t, o), v, s.a)
		difference := Combine(1, j, -1, j.T())
		return max(mat.Max(difference), -mat.Min(difference))
	}
	const round, what = 1e-7, "largest |J − Jᵀ| of "
	omm, sequential := ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Sequential}
	claim.Corrected.Within(t, what+"OMM, k = 1", asymmetry(omm, one), round)
	claim.Corrected.Within(t, what+"OMM, k = 2", asymmetry(omm, two), round)
	claim.Corrected.Within(t, what+"OMM_jnt, k = 2", asymmetry(ommlx.OMM{Nesting: ommlx.Joint}, two), round)
	claim.Corrected.Within(t, what+"OMM_seq, k = 1", asymmetry(sequential, one), round)
	require.Greater(t, asymmetry(sequential, two), 0.1, what+"OMM_seq, k = 2")
	require.Greater(t, asymmetry(ommlx.LoRA{Nesting: ommlx.Sequential}, two), 0.1)
	require.Less(t, asymmetry(ommlx.Sanger{}, s.mode(1)), round)

	outer := Product(one, one.T(), s.a)
	largest := mat.Max(Combine(4, outer, -4, outer.T()))
	require.Greater(t, largest, 0.1)
	claim.Printed.Within(t, "that of Sanger's rule, k = 1, from the largest entry of 4(v(Av)ᵀ − (Av)vᵀ)",
		math.Abs(largest-asymmetry(ommlx.Sanger{}, one)), round)
	claim.Printed.Within(t, "0.1 less that entry", 0.1-largest, 0)
	claim.Note("largest |J − Jᵀ|: Sanger's rule, k = 1 %.2g; OMM_seq, k = 2 %.2g", largest, asymmetry(sequential, two))
}

// rates returns the eigenvalues of the Jacobian of a rule at V.
func (s spectrum) rates(t *testing.T, o ommlx.Objective, v *mat.Dense) []float64 {
	return testkit.Must(RealEigenvalues(Jacobian(onMatrix(t, o), v, s.a)))
}

// Section 2.2.4 has an "inductive argument" for the convergence of OMM_seq. At W_{1:k} its Jacobian has the eigenvalues
// of [Rates], all of them positive for distinct positive eigenvalues in order. Any other order of the columns has a
// negative one: of the equilibria made of eigenvectors only ±W_{1:k} attracts.
func TestOrderedEigenvectorsAttract(t *testing.T) {
	claim := papertest.Of(t, "seq-converges")
	const k = 2
	s := newSpectrum(testkit.NewRand(735), 3, 2, 1, 0.5)
	for _, c := range []struct {
		objective ommlx.Objective
		record    papertest.Measure
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, claim.Printed},
		{ommlx.Sanger{}, func(string, float64, float64) {}}, // the claim is on OMM_seq
	} {
		want := testkit.Must(Rates(c.objective, s.values, k))
		require.Positive(t, want[0])
		c.record.Within(t, "largest distance of the Jacobian's eigenvalues at W_{1:k} from the closed forms",
			floats.Distance(want, s.rates(t, c.objective, s.leading(k)), math.Inf(1)), 1e-5)
		c.record.Within(t, "least eigenvalue with two columns exchanged",
			s.rates(t, c.objective, beside(s.mode(1), s.mode(0)))[0], -0.5)
		c.record.Within(t, "and with an eigenvector left out",
			s.rates(t, c.objective, beside(s.mode(0), s.mode(2)))[0], -0.5)
	}
}

// Section 2.2.4 compares joint with sequential nesting only by experience. Their linearisations at the solution tell
// how fast descent is: after a while each step η multiplies the angles by 1 − η·(least eigenvalue), where η is bounded
// by the largest. Checked are the eigenvalues, and that descent does what they say.
func TestLocalRatesAreThoseOfTheJacobian(t *testing.T) {
	claim := papertest.Of(t, "seq-converges")
	const k = 3
	s := newSpectrum(testkit.NewRand(760), 1, 0.6, 0.35, 0.2, 0.1)
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Sequential},
		ommlx.Sanger{},
		ommlx.LoRA{Nesting: ommlx.Sequential},
		ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{4, 2, 1}},
		ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.1, 0.3, 0.6}},
	} {
		at := s.leading(k)
		if _, ok := o.(ommlx.LoRA); ok {
			at = Product(at, diagonal(s.values[:k], math.Sqrt))
		}
		rates := testkit.Must(Rates(o, s.values, k))
		require.InDeltaSlice(t, rates, s.rates(t, o, at), 1e-5, o.Name())

		least, eta := rates[0], 1/rates[len(rates)-1]
		settle, window := int(16/(eta*least)), int(2/(eta*least))
		var steps, angles []float64
		Descend(onMatrix(t, o), Combine(1, at, 1, s.gaussian(0.01, k)), s.a, eta, settle+window,
			func(step int, v *mat.Dense) bool {
				if step >= settle {
					steps, angles = append(steps, float64(step)), append(angles, slices.Max(Angles(v, s.w)))
				}
				return true
			})
		rate := (1 - math.Exp(-DecayRate(steps, angles))) / eta
		require.InEpsilon(t, least, rate, 0.02, "%s %v", o.Name(), o)
		if omm, ok := o.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
			claim.Printed("relative difference of the rate of descent and the least of them", math.Abs(rate/least-1),
				0.02)
		}
	}
}

// Joint nesting tells v_i and v_{i+1} apart by the one prefix that holds the first and not the second. For a small gap
// the slow one of their two eigenvalues is α_i(λ_i − λ_{i+1}), against 2(λ_i − λ_{i+1}) in sequential nesting: 2k times
// slower with the paper's α_i = 1/k, at the same largest eigenvalue 8λ_1.
func TestJointNestingSeparatesNeighboursSlowly(t *testing.T) {
	claim := papertest.Of(t, "seq-vs-joint")
	const k = 3
	s := newSpectrum(testkit.NewRand(770), 1, 0.95, 0.3, 0.05)
	joint := s.rates(t, ommlx.OMM{Nesting: ommlx.Joint}, s.leading(k))
	sequential := s.rates(t, ommlx.OMM{Nesting: ommlx.Sequential}, s.leading(k))
	require.InEpsilon(t, 2*k, sequential[0]/joint[0], 0.01)
	claim.Printed("slowest rate of joint nesting over that of sequential nesting, eigenvalues 1 and 0.95 among three, "+
		"in theory 1/(2k)", joint[0]/sequential[0], 1)
	require.InEpsilon(t, 8, slices.Max(joint), 1e-5)
	require.InEpsilon(t, 8, slices.Max(sequential), 1e-5)
}
