package verify

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// The gradient for f_i is −(2/B) [Tf_i − Σ_{j≤i} ⟨f_j, Tf_i⟩ f_j], term by term, even if M[f,Tf] is not symmetric.
// Doubling f separates the terms: the second has degree 2 in f.
func TestSangerIsSangersRuleTermByTerm(t *testing.T) {
	claim := papertest.Of(t, "sanger-rule").Printed
	const batch, k = 25, 4
	rng := testkit.NewRand(61)
	f, tf := RandomGaussian(rng, batch, k), RandomGaussian(rng, batch, k)
	rule := onValues(lossOf(ommlx.Sanger{}))
	_, one, ofTf := rule(f, tf)
	_, two, _ := rule(Scaled(2, f), tf)
	metric := Scaled(1./3, Difference(two, one))
	claim.EqualMatrix(t,
		"relative difference of the operator term of −2 times Sanger's update and of the gradient that trains f",
		Scaled(-2./batch, tf), Difference(one, metric), 1e-12)
	claim.EqualMatrix(t, "of the other term", Scaled(2./batch, Product(f, upper(Scaled(1./batch, Product(f.T(), tf))))),
		metric, 1e-12)
	require.Zero(t, mat.Norm(ofTf, 2), "no gradient may reach Tf")
}

// If M[f,Tf] is symmetric, the loss is the surrogate −2 tr M[f, sg Tf] + tr(M^seq[f] sg M[f,Tf]). The printed variants
// differ only in the operator term: the pseudocode by the whole term, the equation by its gradient through Tf.
func TestPrintedSangerVariants(t *testing.T) {
	surrogate, pseudocode := papertest.Of(t, "sanger-surrogate"), papertest.Of(t, "pseudocode-sanger")
	const k = 3
	s := newSpectrum(testkit.NewRand(63), 3, 2, 1, 0.5, 0.25)
	d := float64(len(s.values))
	f := s.gaussian(math.Sqrt(d), k)
	tf := Product(s.a, f)
	loss, rule, _ := onValues(lossOf(ommlx.Sanger{}))(f, tf)
	detachedLoss, detached, detachedTf := onValues(lossOf(SangerDetached))(f, tf)
	bothLoss, both, bothTf := onValues(lossOf(SangerBothGradients))(f, tf)

	require.InEpsilonSlice(t, []float64{loss, loss}, []float64{detachedLoss, bothLoss}, 1e-12)
	pseudocode.Printed.Beyond(t, "relative difference of the printed gradient and Sanger's rule",
		papertest.MatrixDifference(rule, detached), 1e-3)
	pseudocode.Corrected.EqualMatrix(t, "with −2 tr M[f, sg Tf] for the detached term", rule,
		Difference(detached, Scaled(2/d, tf)), 1e-12)
	require.Zero(t, mat.Norm(detachedTf, 2))
	shrinking := mat.Trace(Product(Gram(f), f.T(), tf)) / (d * d) // tr(M[f] M[f,Tf])
	pseudocode.Corrected.Within(t,
		"how far the rate ⟨f, ∇_f⟩ at which the printed flow shrinks |f|²/2 is below tr(M[f] M[f,Tf]) > 0",
		max(0, shrinking-mat.Trace(Product(f.T(), detached))), 0)
	require.Positive(t, shrinking)
	surrogate.Corrected.EqualMatrix(t, "relative difference of the gradient for f, Tf held still, and Sanger's rule",
		rule, both, 1e-12)
	surrogate.Corrected.EqualMatrix(t, "of the printed gradient for Tf and −2f/B, which counts the operator term again",
		Scaled(-2/d, f), bothTf, 1e-12)
	surrogate.Printed.Beyond(t, "norm of the printed gradient for Tf, which Sanger's rule does not have",
		mat.Norm(bothTf, 2), 1e-3)
}
