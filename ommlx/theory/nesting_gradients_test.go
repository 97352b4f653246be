package theory

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// Eq. (7), section 2.2.4: with V_i the first i columns, column i of the sequentially nested gradient is
//
//	−2 ((I − V_iV_iᵀ) A v_i + A (I − V_iV_iᵀ) v_i),
//
// and all of it is that of the triangularised OFM which the paper says OMM_seq is, −2 (2AV − V·triu(VᵀAV) −
// AV·triu(VᵀV)).
func TestSequentialGradient(t *testing.T) {
	gradientClaim := claims.Of(t, "seq-gradient")
	triangular := claims.Of(t, "seq-is-triofm")
	symmetrised := claims.Of(t, "sanger-rule")
	program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Sequential})
	lora, sanger := onMatrix(t, ommlx.LoRA{Nesting: ommlx.Sequential}),
		onMatrix(t, ommlx.Sanger{})
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
		const d = libraryStates
		k := drawLibraryModes(t)
		s := drawSpectrum(t, d, 0, -4, 4)
		v := Scaled(0.5, Gaussian(s.rng, d, k))
		_, gradient := program(v, s.a)
		_, sangerGradient := sanger(v, s.a)
		for i := range k {
			prefix, vi := Columns(v, 0, i+1), Columns(v, i, i+1)
			r := Combine(1, Eye(d), -1, Product(prefix, prefix.T()))
			want := Combine(-2, Product(r, s.a, vi), -2, Product(s.a, r, vi))
			ommtest.Within(t, gradientClaim.Printed, "largest relative difference of a column",
				matrixDifference(want, Columns(gradient, i, i+1)), 1e-11)
			// Sanger's update RAv with RA made symmetric, (RA + AR)/2: minus a quarter of that gradient.
			ra := Product(r, s.a)
			averaged := Product(Combine(0.5, ra, 0.5, ra.T()), vi)
			ommtest.Within(t, symmetrised.Printed, "relative difference of 4 sym(RA)v_i and minus the gradient "+
				"of OMM_seq",
				matrixDifference(Scaled(4, averaged),
					Scaled(-1, Columns(gradient, i, i+1))), 1e-11)
			ommtest.Within(t, symmetrised.Printed, "of 2RAv_i and minus the gradient that trains Sanger's variant",
				matrixDifference(Scaled(2, Product(ra, vi)),
					Scaled(-1, Columns(sangerGradient, i, i+1))), 1e-11)
		}
		av := Product(s.a, v)
		nested := Combine(1, Product(v, upper(Product(v.T(), av))), 1, Product(av, upper(Gram(v))))
		ommtest.Within(t, triangular.Printed, "relative difference of the gradients, OMM_seq",
			matrixDifference(Combine(-4, av, 2, nested), gradient), 1e-11)
		_, loraGradient := lora(v, s.a)
		ommtest.Within(t, triangular.Printed, "and LoRA_seq",
			matrixDifference(Combine(-4, av, 4, Product(v, upper(Gram(v)))), loraGradient), 1e-11)
	})
}

// asymmetry returns the largest |J − Jᵀ| of the Jacobian.
func asymmetry(t *testing.T, o ommlx.Objective, v, a *mat.Dense) float64 {
	j := Jacobian(onMatrix(t, o), v, a)
	difference := Combine(1, j, -1, j.T())
	return math.Max(mat.Max(difference), -mat.Min(difference))
}

// Section 2.2.5: Sanger's update is the gradient of no function, since its Jacobian is not symmetric, already for one
// function: J − Jᵀ = ±2(v(Av)ᵀ − (Av)vᵀ) of Sanger's RAv, twice that of the loss here, and zero at an eigenvector only.
// The paper sets OMM against it, which is right for OMM and for each function of OMM_seq with those before it fixed.
// The nested rule as a whole is no gradient either: v_2 feels v_1, and v_1 does not feel v_2.
func TestWhichRulesAreGradients(t *testing.T) {
	claim := claims.Of(t, "sanger-no-potential")
	rng := graphtest.NewRand(730)
	a, w := Symmetric(rng, []float64{3, 2, 1, 0.5})
	one, two := Scaled(0.5, Gaussian(rng, 4, 1)), Scaled(0.5, Gaussian(rng, 4, 2))
	const round = 1e-7
	const what = "largest |J − Jᵀ| of "
	ommtest.Within(t, claim.Corrected, what+"OMM, k = 1", asymmetry(t, ommlx.OMM{}, one, a), round)
	ommtest.Within(t, claim.Corrected, what+"OMM, k = 2", asymmetry(t, ommlx.OMM{}, two, a), round)
	ommtest.Within(t, claim.Corrected, what+"OMM_jnt, k = 2",
		asymmetry(t, ommlx.OMM{Nesting: ommlx.Joint}, two, a), round)
	ommtest.Within(t, claim.Corrected, what+"OMM_seq, k = 1",
		asymmetry(t, ommlx.OMM{Nesting: ommlx.Sequential}, one, a), round)
	ommtest.Beyond(t, claim.Printed, what+"OMM_seq, k = 2",
		asymmetry(t, ommlx.OMM{Nesting: ommlx.Sequential}, two, a), 0.1)
	require.Greater(t, asymmetry(t, ommlx.LoRA{Nesting: ommlx.Sequential}, two, a), 0.1)
	require.Less(t, asymmetry(t, ommlx.Sanger{}, Columns(w, 1, 2), a), round)

	outer := Product(one, one.T(), a)
	difference := Combine(4, outer, -4, outer.T())
	require.Greater(t, mat.Max(difference), 0.1)
	ommtest.Within(t, claim.Corrected, "that of Sanger's rule, k = 1, from the largest entry of 4(v(Av)ᵀ − (Av)vᵀ)",
		math.Abs(mat.Max(difference)-asymmetry(t, ommlx.Sanger{}, one, a)), round)
	claim.Note("largest |J − Jᵀ| of Sanger's rule, k = 1: %.2g", mat.Max(difference))
}

// Section 2.2.4 has an "inductive argument" for the convergence of OMM_seq. At W_{1:k} its Jacobian is block
// triangular, with the eigenvalues
//
//	2(λ_i − λ_l) for l > i,  8λ_i,  2(λ_i + λ_j) for j < i
//
// (Sanger: 2(λ_i − λ_l), 4λ_i, 2λ_i), all of them positive for distinct positive eigenvalues in order. Any other order
// of the columns has a negative one: of the equilibria made of eigenvectors only ±W_{1:k} attracts.
func TestOrderedEigenvectorsAttract(t *testing.T) {
	claim := claims.Of(t, "seq-converges")
	const d, k = 4, 2
	values := []float64{3, 2, 1, 0.5}
	a, w := Symmetric(graphtest.NewRand(735), values)
	for _, c := range []struct {
		objective    ommlx.Objective
		norm         float64
		earlierShare float64
	}{{ommlx.OMM{Nesting: ommlx.Sequential}, 8, 1}, {ommlx.Sanger{}, 4, 0}} {
		loss := onMatrix(t, c.objective)
		rates := func(v *mat.Dense) []float64 {
			return testkit.Must(RealEigenvalues(Jacobian(loss, v, a)))
		}
		want := testkit.Must(Rates(c.objective, values, k))
		record := claim.Printed
		if c.earlierShare == 0 {
			record = func(string, float64, float64) {} // the claim is on OMM_seq
		}
		ommtest.Within(t, record, "largest distance of the Jacobian's eigenvalues at W_{1:k} from the closed forms",
			floats.Distance(want, rates(Columns(w, 0, k)), math.Inf(1)), 1e-5)
		require.Positive(t, want[0])
		ommtest.Within(t, record, "least eigenvalue with two columns exchanged",
			rates(beside(Columns(w, 1, 2), Columns(w, 0, 1)))[0], -0.5)
		ommtest.Within(t, record, "and with an eigenvector left out",
			rates(beside(Columns(w, 0, 1), Columns(w, 2, 3)))[0], -0.5)
	}
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
	a, w := Symmetric(rng, lambda)
	plain := Columns(w, 0, k)
	scaled := Product(plain, mat.NewDiagDense(k, []float64{1, math.Sqrt(0.6), math.Sqrt(0.35)}))
	for _, c := range []struct {
		objective ommlx.Objective
		at        *mat.Dense
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, plain},
		{ommlx.Sanger{}, plain},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, scaled},
		{ommlx.OMM{Nesting: ommlx.Joint}, plain},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{4, 2, 1}}, plain},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.1, 0.3, 0.6}}, plain},
	} {
		rates := testkit.Must(Rates(c.objective, lambda, k))
		loss := onMatrix(t, c.objective)
		measured := testkit.Must(RealEigenvalues(Jacobian(loss, c.at, a)))
		require.InDeltaSlice(t, rates, measured, 1e-5, c.objective.Name())

		least, eta := rates[0], 1/rates[len(rates)-1]
		settle, window := int(16/(eta*least)), int(2/(eta*least))
		v := Combine(1, c.at, 0.01, Gaussian(rng, len(lambda), k))
		var steps, angles []float64
		Descend(loss, v, a, eta, settle+window, func(step int, v *mat.Dense) bool {
			if step >= settle {
				steps, angles = append(steps, float64(step)), append(angles, slices.Max(Angles(v, w)))
			}
			return true
		})
		rate := (1 - math.Exp(-DecayRate(steps, angles))) / eta
		require.InEpsilon(t, least, rate, 0.02, "%s %v", c.objective.Name(), c.objective)
		if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
			claim.Printed("relative difference of the rate of descent and the least of them",
				math.Abs(rate/least-1), 0.02)
		}
	}
}

// Joint nesting tells v_i and v_{i+1} apart by the one prefix that holds the first and not the second. For a small gap
// the slow one of their two eigenvalues is α_i(λ_i − λ_{i+1}), against 2(λ_i − λ_{i+1}) in sequential nesting: 2k times
// slower with the paper's α_i = 1/k, at the same largest eigenvalue 8λ_1.
func TestJointNestingSeparatesNeighboursSlowly(t *testing.T) {
	claim := claims.Of(t, "seq-vs-joint")
	const k = 3
	a, w := Symmetric(graphtest.NewRand(770), []float64{1, 0.95, 0.3, 0.05})
	v := Columns(w, 0, k)
	least := func(n ommlx.Nesting) (least, most float64) {
		values := testkit.Must(RealEigenvalues(Jacobian(onMatrix(t, ommlx.OMM{Nesting: n}), v, a)))
		return values[0], values[len(values)-1]
	}
	joint, jointMost := least(ommlx.Joint)
	sequential, sequentialMost := least(ommlx.Sequential)
	require.InEpsilon(t, 2*k, sequential/joint, 0.01)
	claim.Printed("slowest rate of joint nesting over that of sequential nesting, eigenvalues 1 and 0.95 among "+
		"three, in theory 1/(2k)", joint/sequential, 1)
	require.InEpsilon(t, 8, jointMost, 1e-5)
	require.InEpsilon(t, 8, sequentialMost, 1e-5)
}
