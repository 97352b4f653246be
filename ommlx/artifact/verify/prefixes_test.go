package verify

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// prefixLosses evaluates an objective on the first 1, 2, …, k functions: loss and gradients with respect to all of F
// and TF.
func prefixLosses(t *testing.T, o ommlx.Objective, at testkit.Point) []testkit.Evaluation {
	all := make([]testkit.Evaluation, at.F.Dims[1])
	out := testkit.NewProgram(t, func(in []*Node) (out []*Node) {
		for i := range all {
			first := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(0, i+1)) }
			loss, _ := o.Loss(ommlx.Batch{F: first(in[0]), TF: first(in[1])}, nil)
			out = append(append(out, loss), Gradient(loss, in...)...)
		}
		return out
	}).Call(t, at.F, at.TF)
	for i := range all {
		all[i] = testkit.Evaluation{Loss: out[3*i], DF: out[3*i+1], DTF: out[3*i+2]}
	}
	return all
}

// ofOwnPrefix returns, for each function and its Tf, the gradient of the prefix that ends with it.
func ofOwnPrefix(prefixes []testkit.Evaluation) (dF, dTF testkit.Array) {
	dF, dTF = prefixes[0].DF.Clone(), prefixes[0].DTF.Clone()
	for i, prefix := range prefixes {
		dF.Matrix().SetCol(i, mat.Col(nil, i, prefix.DF.Matrix()))
		dTF.Matrix().SetCol(i, mat.Col(nil, i, prefix.DTF.Matrix()))
	}
	return dF, dTF
}

// Joint nesting is Σ_i α_i L(f_1, …, f_i), computed by a mask at order 1 and by padded blocks at higher orders.
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	sum, mask := papertest.Of(t, "joint-objective"), papertest.Of(t, "joint-mask-equation")
	const batch, k = 30, 4
	at := testkit.GaussianPoint(testkit.NewRand(22), batch, k)
	for _, orders := range [][]float64{nil, {1, 0, 0.5}} {
		record := papertest.Every(sum.Printed, mask.Corrected)
		if orders != nil {
			record = sum.Printed
		}
		prefixes := prefixLosses(t, ommlx.OMM{Orders: orders}, at)
		for _, alpha := range [][]float64{{1. / k, 1. / k, 1. / k, 1. / k}, {0.5, 2, 0.125, 1}} {
			loss, dF, dTF := 0.0, testkit.NewArray(batch, k), testkit.NewArray(batch, k)
			for i, e := range prefixes {
				loss += alpha[i] * e.Loss.Data[0]
				floats.AddScaled(dF.Data, alpha[i], e.DF.Data)
				floats.AddScaled(dTF.Data, alpha[i], e.DTF.Data)
			}
			e := testkit.EvaluateObjective(t, ommlx.OMM{Orders: orders, Nesting: ommlx.Joint, Weights: alpha}, at, nil)
			record.Agree(t, "largest relative difference of the joint loss and Σ_i α_i L(f_{1:i})", loss,
				e.Loss.Data[0], 1e-12)
			record.Close(t, "of its gradient for f", dF, e.DF, 1e-12)
			record.Close(t, "for Tf", dTF, e.DTF, 1e-12)
		}
	}
}

// The pseudocode has an extra mean over modes: L_printed(f) = L_joint(√k·f)/k², so it only rescales the minimiser by
// 1/√k.
func TestPrintedJointPseudocodeRescales(t *testing.T) {
	claim := papertest.Of(t, "pseudocode-joint")
	const k = 4
	at := testkit.GaussianPoint(testkit.NewRand(23), 30, k)
	root := math.Sqrt(k)
	printed := testkit.EvaluateObjective(t, JointPseudocode, at, nil)
	joint := testkit.EvaluateObjective(t, ommlx.OMM{Nesting: ommlx.Joint},
		testkit.Point{F: at.F.Scaled(root), TF: at.TF.Scaled(root), C1: at.C1, C2: at.C2}, nil)
	claim.Corrected.Agree(t, "relative difference of the printed loss and L_jnt(√k·f)/k²", joint.Loss.Data[0]/(k*k),
		printed.Loss.Data[0], 1e-12)
	claim.Corrected.Close(t, "of the gradients", joint.DF.Scaled(root/(k*k)), printed.DF, 1e-12)
	plain := testkit.EvaluateObjective(t, ommlx.OMM{Nesting: ommlx.Joint}, at, nil)
	claim.Printed.Beyond(t, "relative difference of the printed loss and L_jnt(f)",
		papertest.Difference(plain.Loss.Data[0], printed.Loss.Data[0]), 1e-3)
}

// The equation of section 2.3.1 with the mask outside the product, Σ_i m_i (−2 MT_ii + Σ_j M_ij MT_ji), is not the
// joint loss.
func TestPrintedJointEquation(t *testing.T) {
	claim := papertest.Of(t, "joint-mask-equation")
	at := testkit.GaussianPoint(testkit.NewRand(24), 30, 3).Scaled(3)
	alpha := []float64{1. / 3, 1. / 3, 1. / 3}
	m, mT := testkit.SecondMoment(at.F, at.F).Matrix(), testkit.SecondMoment(at.F, at.TF).Matrix()
	want := mat.Trace(Product(mat.NewDiagDense(3, JointWeights(alpha)), Combine(-2, mT, 1, Product(m, mT))))
	printed := testkit.EvaluateObjective(t, JointEquation, at, nil)
	joint := testkit.EvaluateObjective(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, at, nil)
	require.InEpsilon(t, want, printed.Loss.Data[0], 1e-12)
	claim.Printed.Beyond(t, "relative difference of the printed formula and the joint loss",
		papertest.Difference(joint.Loss.Data[0], printed.Loss.Data[0]), 1e-3)
}

// The equation of joint nesting in section 2.3.1 read literally, tr(P ⊙ (−2 VᵀAV + VᵀV VᵀAV)), is unbounded below if
// two eigenvalues are far enough apart. With D = diag(m), m_i = Σ_{j≥i} α_j, its fourth-order part is tr(D VᵀV VᵀAV),
// which for rows b and t·c of V, in the eigenbasis of two eigenvalues with ratio q, is
//
//	q bᵀDb |b|² + (q + 1) t² (bᵀc)(bᵀDc) + t⁴ cᵀDc |c|²,
//
// which is negative for some t if and only if, with s² = m_j/m_i for the two columns,
//
//	(√q + 1/√q)/2 > ((1 + s)/(1 − s))²,
//
// that is, q > 4,614 for m = (1, ½). Joint nesting itself has the minimum −Σ_i m_i λ_i for every spectrum.
func TestPrintedJointEquationIsUnboundedBelow(t *testing.T) {
	claim := papertest.Of(t, "joint-mask-equation")
	// The threshold: the largest −(bᵀc)(bᵀDc) over √(bᵀDb · cᵀDc), for unit b and c, on a grid of angles.
	for _, s := range []float64{math.Sqrt(0.5), 0.5, 0.1} {
		largest := 0.0
		const angles = 720
		for i := range angles {
			for j := range angles {
				b, c := float64(i)*math.Pi/angles, float64(j)*math.Pi/angles
				form := func(x, y float64) float64 { return math.Cos(x)*math.Cos(y) + s*s*math.Sin(x)*math.Sin(y) }
				largest = max(largest, -math.Cos(b-c)*form(b, c)/math.Sqrt(form(b, b)*form(c, c)))
			}
		}
		claim.Corrected.Within(t, "relative difference of the threshold on a grid of angles from ((1 − s)/(1 + s))²",
			math.Abs(largest/square((1-s)/(1+s))-1), 1e-3)
	}

	printed := onMatrix(t, JointEquation)
	joint := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 0.5}})
	value := func(l Loss, q, scale float64) float64 {
		loss, _ := l(Scaled(scale, JointEquationRay(q)), mat.NewDense(2, 2, []float64{1, 0, 0, 1 / q}))
		return loss
	}
	for _, scale := range []float64{1e3, 1e4} {
		require.Less(t, value(printed, 4700, scale), -1e-3*math.Pow(scale, 4))
		require.Greater(t, value(printed, 4500, scale), 1e-3*math.Pow(scale, 4))
		require.Greater(t, value(joint, 4700, scale), 0.0)
	}
	claim.Corrected.AtMost(t, "how far the corrected loss is below its minimum at the witness", -1-0.5/1e5,
		value(joint, 1e5, 100), 0)
	claim.Printed.Beyond(t, "how far the printed formula is below the joint minimum, q = 10⁵, ‖V‖ about 4,000",
		-value(printed, 1e5, 100)-1, 1e6)
}

// coefficients are the c_j of OMM-p's loss Σ_j c_j tr(M^{j−1}N), M = M[f], N = M[f,Tf].
var coefficients = map[int][]float64{1: {-2, 1}, 2: {-4, 6, -4, 1}}

// Section 2.3.1: for p > 1 a partial stop-gradient cannot give sequential nesting. A derivative of the loss with
// respect to f_i is a sum over the factors M and N of each term and over their entries (i,q) and (q,i); each summand is
// a function f_q or (Tf)_q times a number. A stop-gradient on one side of an entry of one factor removes one summand.
// So if some choice of stop-gradients gave the gradient of the prefix f_1, …, f_i, this gradient would be a combination
// of those summands with coefficients 0 and 1, the same for all f and Tf. Least squares over many f and Tf finds the
// best real coefficients: they fit for p = 1, as Eq. (9) says, and not for p = 2.
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
	require.Less(t, misfit(1), 1e-12, "p = 1, where the mask of Eq. (9) fits")
	left := misfit(2)
	claim.Printed.Within(t, "0.01 less the part of the prefix's gradient that no mask gives, OMM-2, relative",
		0.01-left, 0)
	claim.Note("the best coefficients leave %.0f %% of the prefix's gradient at order 2, and nothing at order 1",
		100*left)
}

// summandsOf returns the summands of the derivative of Σ_j c_j tr(M^{j−1}N) with respect to f_i, one for each side of
// each entry of each factor, and the derivative of the loss of the prefix f_1, …, f_i only, at random f and Tf; i
// counts from 0.
func summandsOf(coefficients []float64, seed uint64, k, i int) (summands [][]float64, target []float64) {
	at := testkit.GaussianPoint(testkit.NewRand(9_000+seed), 2*k, k)
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

// Section 2.3.1: for p > 1 "we can no longer apply a similar, partial stop-gradient trick". Replacing M by M^seq does
// give wrong gradients. But the loss of the prefix i with all functions except f_i stopped is the loss of the leading
// i×i block of M^seq with its first i − 1 rows and columns stopped: its row and column i are already ⟨f_i, sg f_j⟩ and
// ⟨sg f_j, f_i⟩. The sum over i has the gradients of sequential nesting and needs only k×k moments.
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
	gradients := func(loss func(m, n *Node) *Node, at testkit.Point) []testkit.Array {
		return testkit.NewProgram(t, func(in []*Node) []*Node {
			l := loss(ommlx.SeqSecondMoment(in[0], in[0]), ommlx.SeqSecondMoment(in[0], in[1]))
			return Gradient(l, in[0], in[1])
		}).Call(t, at.F, at.TF)
	}
	at := testkit.GaussianPoint(testkit.NewRand(25), batch, k)
	dF, dTF := ofOwnPrefix(prefixLosses(t, ommlx.OMM{Orders: ommlx.Order(2)}, at))

	wrong := testkit.Difference(dF, gradients(loss, at)[0])
	require.Greater(t, wrong, 1e-2, "M^seq instead of M")
	claim.Note("with M^seq instead of M the gradient of OMM-2 is off by %.0f %% of its largest entry", 100*wrong)

	byPrefix := gradients(func(m, n *Node) *Node {
		sum := ScalarZero(m.Graph(), m.DType())
		for i := range k {
			// The block 1:i of a moment, stopped except for its row and column i.
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
