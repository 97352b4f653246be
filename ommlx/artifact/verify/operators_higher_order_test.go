package verify

import (
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

// coefficients are the c_j of OMM-p's loss Σ_j c_j tr(M^{j−1}N), M = M[f], N = M[f,Tf].
var coefficients = map[int][]float64{1: {-2, 1}, 2: {-4, 6, -4, 1}}

// Section 2.3.1: for p > 1 a partial stop-gradient cannot give sequential nesting. A derivative of the loss for f_i is
// a sum over the factors M and N of each term and over their entries (i,q) and (q,i), each of which is a function f_q
// or (Tf)_q times a number. A stop-gradient on one side of an entry of one factor takes one summand away. So if some
// choice of stop-gradients gave the gradient of the prefix f_1, …, f_i, that would be a combination of those summands
// with coefficients 0 and 1, the same for all f and Tf. Least squares over many f and Tf finds the best coefficients,
// 0, 1 or any other: they fit for p = 1, as Eq. (9) says, and not for p = 2.
func TestNoMaskGivesSequentialNestingAtOrder2(t *testing.T) {
	claim := papertest.Of(t, "seq-higher-order-hard")
	const k, i, instances = 3, 1, 60 // the second of three functions
	misfit := func(p int) float64 {
		var rows, want []float64
		unknowns := 0
		for seed := range uint64(instances) {
			summands, target := summandsOf(coefficients[p], seed, k, i)
			unknowns = len(summands)
			for b := range target {
				for _, s := range summands {
					rows = append(rows, s[b])
				}
			}
			want = append(want, target...)
		}
		require.Greater(t, len(want), 3*unknowns)
		m, y, x := mat.NewDense(len(want), unknowns, rows), mat.NewDense(len(want), 1, want), &mat.Dense{}
		var svd mat.SVD
		require.True(t, svd.Factorize(m, mat.SVDThin))
		svd.SolveTo(x, y, svd.Rank(1e-12))
		return mat.Norm(Combine(1, Product(m, x), -1, y), 2) / mat.Norm(y, 2)
	}
	require.Less(t, misfit(1), 1e-12, "the mask of Eq. (9) is among them for p = 1")
	left := misfit(2)
	claim.Printed.Within(t, "0.01 less the part of the prefix's gradient that no mask gives, OMM-2, relative",
		0.01-left, 0)
	claim.Note("the best coefficients leave %.0f %% of the prefix's gradient at order 2, and nothing at order 1",
		100*left)
}

// summandsOf returns the summands of the derivative for f_i of Σ_j c_j tr(M^{j−1}N), one for each side of each entry of
// each factor, and the derivative of the loss of the prefix f_1, …, f_i alone, at random f and Tf; i counts from 0.
func summandsOf(coefficients []float64, seed uint64, k, i int) (summands [][]float64, target []float64) {
	at := ommtest.GaussianPoint(testkit.NewRand(9_000+seed), 2*k, k)
	f, g := at.F.Matrix(), at.TF.Matrix()
	derivative := func(f, g *mat.Dense, each func(summand []float64)) {
		batch, k := f.Dims()
		mean := 1 / float64(batch)
		m, n := Scaled(mean, Gram(f)), Scaled(mean, Product(f.T(), g))
		times := func(c float64, of *mat.Dense, q int) {
			column := mat.Col(nil, q, of)
			floats.Scale(c*mean, column)
			each(column)
		}
		for j, c := range coefficients { // c tr(M^j N)
			for q := range k {
				times(c*Power(m, j).At(q, i), g, q)
			}
			for a := range j { // tr(M^a dM M^{j−1−a} N)
				w := Product(Power(m, j-1-a), n, Power(m, a))
				for q := range k {
					times(c*w.At(q, i), f, q)
					times(c*w.At(i, q), f, q)
				}
			}
		}
	}
	derivative(f, g, func(s []float64) { summands = append(summands, s) })
	target = make([]float64, 2*k)
	derivative(Columns(f, 0, i+1), Columns(g, 0, i+1), func(s []float64) { floats.Add(target, s) })
	return summands, target
}

// Section 2.3.1: for p > 1 "we can no longer apply a similar, partial stop-gradient trick". To put M^seq in the place
// of M does give wrong gradients. But the loss of the prefix i, with all functions but f_i stopped, is one of the block
// of M^seq with its first i − 1 rows and columns stopped: its row and column i are ⟨f_i, sg f_j⟩ and ⟨sg f_j, f_i⟩
// already. The sum over i has the gradients of sequential nesting, from k×k moments alone.
func TestSequentialNestingAtHigherOrder(t *testing.T) {
	claim := papertest.Of(t, "seq-higher-order-hard")
	const batch, k = 12, 4
	unit := func(m *Node) *Node { return ConvertDType(Diagonal(m.Graph(), m.Shape().Dim(0)), m.DType()) }
	// loss is tr(Q(M)N) of OMM-2 for symmetric M.
	loss := func(m, n *Node) *Node {
		power, q := unit(m), MulScalar(unit(m), coefficients[2][0])
		for _, c := range coefficients[2][1:] {
			power = MatMul(power, m)
			q = Add(q, MulScalar(power, c))
		}
		return ReduceAllSum(Mul(q, n))
	}
	gradients := func(loss func(m, n *Node) *Node, at ommtest.Point) []testkit.Array {
		return testkit.NewProgram(t, func(in []*Node) []*Node {
			l := loss(ommlx.SeqSecondMoment(in[0], in[0]), ommlx.SeqSecondMoment(in[0], in[1]))
			return Gradient(l, in[0], in[1])
		}).Call(t, at.F, at.TF)
	}
	at := ommtest.GaussianPoint(testkit.NewRand(25), batch, k)
	dF, dTF := ofOwnPrefix(prefixLosses(t, ommlx.OMM{Orders: ommlx.Order(2)}, at))

	wrong := testkit.Difference(dF, gradients(loss, at)[0])
	require.Greater(t, wrong, 1e-2, "M^seq in the place of M")
	claim.Note("with M^seq in the place of M the gradient of OMM-2 is off by %.0f %% of its largest entry", 100*wrong)

	byPrefix := gradients(func(m, n *Node) *Node {
		sum := ScalarZero(m.Graph(), m.DType())
		for i := range k {
			// The block 1:i of a moment with all but its row and column i stopped.
			ofI := func(x *Node) *Node {
				x = Slice(x, AxisRange(0, i+1), AxisRange(0, i+1))
				index := Iota(x.Graph(), x.Shape(), 0)
				live := Max(index, Transpose(index, 0, 1))
				return Where(Equal(live, MulScalar(OnesLike(live), i)), x, StopGradient(x))
			}
			sum = Add(sum, loss(ofI(m), ofI(n)))
		}
		return sum
	}, at)
	claim.Corrected.Close(t, "relative difference of the gradient for f of the sum over prefixes and of those of the "+
		"prefixes, OMM-2", dF, byPrefix[0], 1e-11)
	claim.Corrected.Close(t, "for Tf", dTF, byPrefix[1], 1e-11)
}
