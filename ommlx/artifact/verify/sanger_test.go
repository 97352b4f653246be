package verify_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// The gradient for f_i is −(2/B) [Tf_i − Σ_{j≤i} ⟨f_j, Tf_i⟩ f_j], term by term, even if M[f,Tf] is not symmetric.
// Scaling separates the terms: the first is of degree 1 in f, the second of degree 3.
func TestSangerIsSangersRuleTermByTerm(t *testing.T) {
	claim := papertest.Of(t, "sanger-rule")
	const batch, k = 25, 4
	at := testkit.GaussianPoint(testkit.NewRand(61), batch, k)
	p := testkit.Compile(t, testkit.OnBatch(ommlx.Sanger{}, testkit.OneBatch))
	upper := mat.NewTriDense(k, mat.Upper, testkit.SecondMoment(at.F, at.TF).Data)
	operator := at.TF.Scaled(-2. / batch)
	metric := testkit.FromMatrix(linalg.Scaled(2./batch, linalg.Product(at.F.Matrix(), upper)))
	// dF at scale c is c·operator + c³·metric.
	one := testkit.EvaluateAt(t, p, at, nil)
	two := testkit.EvaluateAt(t, p, scaledPoint(at, 2), nil)
	gotMetric := testkit.FromMatrix(linalg.Difference(linalg.Scaled(1./6, two.DF.Matrix()), linalg.Scaled(2./6,
		one.DF.Matrix())))
	gotOperator := testkit.FromMatrix(linalg.Difference(one.DF.Matrix(), gotMetric.Matrix()))
	claim.Printed.Within(t,
		"relative difference of the operator term of −2 times Sanger's update and of the gradient that trains f",
		testkit.Difference(operator, gotOperator), 1e-12)
	claim.Printed.Within(t, "of the other term", testkit.Difference(metric, gotMetric), 1e-12)
	require.Zero(t, floats.Norm(one.DTF.Data, 2), "no gradient may reach Tf")
}

// If M[f,Tf] is symmetric, the loss is the surrogate −2 tr M[f, sg Tf] + tr(M^seq[f] sg M[f,Tf]). The printed variants
// differ only in the operator term: the pseudocode by the whole term, the equation by its gradient through Tf.
func TestPrintedSangerVariants(t *testing.T) {
	surrogate, pseudocode := papertest.Of(t, "sanger-surrogate"), papertest.Of(t, "pseudocode-sanger")
	rng := testkit.NewRand(63)
	a, _ := linalg.RandomSymmetric(rng, []float64{3, 2, 1, 0.5, 0.25})
	const d, k = 5, 3
	at := testkit.MatrixPoint(testkit.Gaussian(rng, d, k).Matrix(), a)
	rule := evaluateObjective(t, ommlx.Sanger{}, at, nil)
	detached := evaluateObjective(t, verify.SangerDetached, at, nil)
	both := evaluateObjective(t, verify.SangerBothGradients, at, nil)

	testkit.RequireClose(t, rule.Loss, detached.Loss, 1e-12, "value")
	testkit.RequireClose(t, rule.Loss, both.Loss, 1e-12, "value")
	operator := at.TF.Scaled(-2.0 / d)
	withOperator := detached.DF.Clone()
	floats.Add(withOperator.Data, operator.Data)
	pseudocode.Printed.Beyond(t, "relative difference of the printed gradient and Sanger's rule",
		testkit.Difference(rule.DF, detached.DF), 1e-3)
	pseudocode.Corrected.Within(t, "with −2 tr M[f, sg Tf] for the detached term",
		testkit.Difference(rule.DF, withOperator), 1e-12)
	require.Zero(t, floats.Norm(detached.DTF.Data, 2))
	m, n := testkit.SecondMoment(at.F, at.F).Matrix(), testkit.SecondMoment(at.F, at.TF).Matrix()
	pseudocode.Corrected.Within(t,
		"how far the rate ⟨f, ∇_f⟩ at which the printed flow shrinks |f|²/2 is below tr(M[f] M[f,Tf]) > 0",
		max(0, mat.Trace(linalg.Product(m, n))-floats.Dot(at.F.Data, detached.DF.Data)), 0)
	require.Positive(t, mat.Trace(linalg.Product(m, n)))
	surrogate.Corrected.Within(t, "relative difference of the gradient for f, Tf held still, and Sanger's rule",
		testkit.Difference(rule.DF, both.DF), 1e-12)
	surrogate.Corrected.Within(t, "of the printed gradient for Tf and −2f/B, which counts the operator term again",
		testkit.Difference(at.F.Scaled(-2.0/d), both.DTF), 1e-12)
	surrogate.Printed.Beyond(t, "norm of the printed gradient for Tf, which Sanger's rule does not have",
		floats.Norm(both.DTF.Data, 2), 1e-3)
}

// Section 2.2.5: an optimiser such as Adam may use Sanger's update, or the gradient of OMM_seq, as a gradient.
func TestSangersRuleWithAdam(t *testing.T) {
	claim := papertest.Of(t, "sanger-with-adam")
	const k, starts, steps = 3, 4, 1000
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	adam := optim.Adam{LearningRate: 0.02, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: steps}}
	for _, o := range []ommlx.Objective{ommlx.Sanger{}, ommlx.OMM{Nesting: ommlx.Sequential}} {
		rng := testkit.NewRand(65)
		a, w := linalg.RandomSymmetric(rng, eigenvalues)
		program := testkit.Compile(t, func(in []*Node) []*Node {
			gradient := onMatrix(o)(in[:2])[1]
			v, slots := adam.Update(ConvertDType(in[4], dtypes.Int32), in[:1], []*Node{gradient},
				[][]*Node{in[2:3], in[3:4]})
			return []*Node{v[0], slots[0][0], slots[1][0]}
		})
		v := testkit.Gaussian(rng, starts, len(eigenvalues), k).Scaled(0.3)
		m, s := testkit.NewArray(v.Dims...), testkit.NewArray(v.Dims...)
		for step := range steps {
			out := program.Call(t, v, testkit.FromMatrix(a), m, s, testkit.Array{Data: []float64{float64(step)}})
			v, m, s = out[0], out[1], out[2]
		}
		for r := range starts {
			claim.Printed.Within(t, "distance from ±w_i after 1,000 steps, "+o.Name(),
				fromEigenvectors(v.Run(r).Matrix(), w), 1e-3)
		}
	}
}

// Training takes f to the eigenvectors of the smallest eigenvalues of I − T, in order and with norm 1, and the duals to
// their multipliers: the gradient of 2⟨f_i, (I−T)f_i⟩ + sg(β_ii)⟨f_i, sg f_i⟩ vanishes for β_ii = −4(1 − λ_i).
func TestALLOFindsOrderedEigenvectors(t *testing.T) {
	claim := papertest.Of(t, "allo-is-an-augmented-lagrangian")
	const k, starts, steps, rate = 3, 3, 6000, 0.02
	eigenvalues := []float64{0.95, 0.7, 0.4, 0.1, -0.2, -0.5}
	a, w := linalg.RandomSymmetric(testkit.NewRand(83), eigenvalues)
	o := ommlx.ALLO{Graph: ommlx.GraphMoments, DualRate: 0.02}
	v := testkit.Gaussian(testkit.NewRand(84), starts, len(eigenvalues), k).Scaled(0.3)
	state := descend(t, o, a, v, steps, rate)
	for r := range starts {
		claim.Printed.Within(t, "distance of the norms of v_i, and of their parts along w_i, from 1, 3 starts",
			fromEigenvectors(v.Run(r).Matrix(), w), 1e-4)
		for i := range k {
			claim.Printed.Within(t, "distance of the duals β_ii from −4(1 − λ_i)",
				math.Abs(state[0].Run(r).Data[i*k+i]+4*(1-eigenvalues[i])), 1e-3)
		}
	}
}
