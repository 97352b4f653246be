package theory

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 2.3.1: for p > 1 a partial stop-gradient cannot give sequential nesting. The loss of order p is Σ_j c_j
// tr(M^{j−1}N), M = M[f], N = M[f,Tf]. A derivative for f_i is a sum over the factors M and N of each term and over
// their entries (i,q) and (q,i), each of which is a function f_q or (Tf)_q times a number. A stop-gradient on one side
// of an entry of one factor takes one summand away. So if some choice of stop-gradients gave the gradient of the prefix
// f_1, …, f_i, that would be a combination of those summands with coefficients 0 and 1, the same for all f and Tf.
// Least squares over many f and Tf finds the best coefficients, 0, 1 or any other: they fit for p = 1, as Eq. (9) says,
// and not for p = 2.
func TestNoMaskGivesSequentialNestingAtOrder2(t *testing.T) {
	claim := claims.Of(t, "seq-higher-order-hard")
	const k, i, instances = 3, 1, 60 // the second of three functions
	misfit := func(coefficients []float64) float64 {
		var rows, want []float64
		unknowns := 0
		for seed := range uint64(instances) {
			summands, target := summandsOf(coefficients, seed, k, i)
			unknowns = len(summands)
			for b := range target {
				for _, s := range summands {
					rows = append(rows, s[b])
				}
			}
			want = append(want, target...)
		}
		require.Greater(t, len(want), 3*unknowns)
		var svd mat.SVD
		require.True(t, svd.Factorize(mat.NewDense(len(want), unknowns, rows), mat.SVDThin))
		y, fitted, x := mat.NewDense(len(want), 1, want), &mat.Dense{}, &mat.Dense{}
		svd.SolveTo(x, y, svd.Rank(1e-12))
		fitted.Mul(mat.NewDense(len(want), unknowns, rows), x)
		fitted.Sub(fitted, y)
		return fitted.Norm(2) / y.Norm(2)
	}
	require.Less(t, misfit([]float64{-2, 1}), 1e-12, "the mask of Eq. (9) is among them for p = 1")
	left := misfit([]float64{-4, 6, -4, 1})
	ommtest.Within(t, claim.Printed, "0.01 less the part of the prefix's gradient that no mask gives, OMM-2, "+
		"relative",
		0.01-left, 0)
	claim.Note("the best coefficients leave %.0f %% of the prefix's gradient at order 2, and nothing at order 1",
		100*left)
}

// summandsOf returns the summands of the derivative for f_i of Σ_j c_j tr(M^{j−1}N), one for each side of each entry of
// each factor, and the derivative of the loss of the prefix f_1, …, f_i alone, at random f and Tf; i counts from 0.
func summandsOf(coefficients []float64, seed uint64, k, i int) (summands [][]float64, target []float64) {
	at := ommtest.GaussianPoint(graphtest.NewRand(9_000+seed), 2*k, k)
	f, g := at.F.Matrix(), at.TF.Matrix()
	derivative := func(f, g *mat.Dense, each func(summand []float64)) {
		batch, k := f.Dims()
		moment := func(a, b *mat.Dense) *mat.Dense {
			var m mat.Dense
			m.Mul(a.T(), b)
			m.Scale(1/float64(batch), &m)
			return &m
		}
		m, n := moment(f, f), moment(f, g)
		times := func(c float64, column []float64) {
			scaled := make([]float64, batch)
			for b, x := range column {
				scaled[b] = c * x / float64(batch)
			}
			each(scaled)
		}
		for j, c := range coefficients { // c tr(M^j N)
			for q := range k {
				times(c*Power(m, j).At(q, i), mat.Col(nil, q, g))
			}
			for a := range j { // tr(M^a dM M^{j−1−a} N)
				var w mat.Dense
				w.Product(Power(m, j-1-a), n, Power(m, a))
				for q := range k {
					times(c*w.At(q, i), mat.Col(nil, q, f))
					times(c*w.At(i, q), mat.Col(nil, q, f))
				}
			}
		}
	}
	derivative(f, g, func(s []float64) { summands = append(summands, s) })
	target = make([]float64, 2*k)
	prefix := func(x *mat.Dense) *mat.Dense { return mat.DenseCopyOf(x.Slice(0, 2*k, 0, i+1)) }
	derivative(prefix(f), prefix(g), func(s []float64) {
		for b, x := range s {
			target[b] += x
		}
	})
	return summands, target
}
