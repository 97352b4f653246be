package verify

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// prefixLoss returns the loss of the first n functions as a function of all.
func prefixLoss(o ommlx.Objective, n int) func(f, tf *Node) *Node {
	first := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(0, n)) }
	return func(f, tf *Node) *Node { return lossOf(o)(first(f), first(tf)) }
}

// Section 2.3.1: joint nesting is Σ_i α_i L(f_1, …, f_i), computed by a mask at order 1 and by padded blocks at higher
// orders.
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	sum, mask := papertest.Of(t, "joint-objective"), papertest.Of(t, "joint-mask-equation")
	const batch, k = 30, 4
	rng := testkit.NewRand(22)
	f, tf := Gaussian(rng, batch, k), Gaussian(rng, batch, k)
	for _, alpha := range [][]float64{{1. / k, 1. / k, 1. / k, 1. / k}, {0.5, 2, 0.125, 1}} {
		orders := []float64{1, 0, 0.5}
		for _, c := range []struct {
			plain, nested ommlx.Objective
			record        papertest.Measure
		}{
			{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha},
				papertest.Every(sum.Printed, mask.Corrected)},
			{ommlx.OMM{Orders: orders}, ommlx.OMM{Orders: orders, Nesting: ommlx.Joint, Weights: alpha}, sum.Printed},
			{ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha}, sum.Printed},
		} {
			loss, dF, dTF := onValues(t, func(f, tf *Node) *Node {
				total := ScalarZero(f.Graph(), f.DType())
				for i, weight := range alpha {
					total = Add(total, MulScalar(prefixLoss(c.plain, i+1)(f, tf), weight))
				}
				return total
			})(f, tf)
			joint, jointDF, jointDTF := onValues(t, lossOf(c.nested))(f, tf)
			c.record.Agree(t, "largest relative difference of the joint loss and Σ_i α_i L(f_{1:i})", loss, joint,
				1e-12)
			c.record.Same(t, "of its gradient for f", dF, jointDF, 1e-13)
			c.record.Same(t, "for Tf", dTF, jointDTF, 1e-13)
		}
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
		var rows, want []float64
		unknowns := 0
		for seed := range uint64(60) {
			summands, target := summandsOf(coefficients[p], seed)
			unknowns = len(summands)
			for b := range target {
				for _, s := range summands {
					rows = append(rows, s[b])
				}
			}
			want = append(want, target...)
		}
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

// summandsOf returns, at random f and Tf of three functions, the summands of the derivative of Σ_j c_j tr(M^{j−1}N)
// with respect to f_2, one for each side of each entry of each factor, and the derivative of the loss of f_1 and f_2.
func summandsOf(coefficients []float64, seed uint64) (summands [][]float64, target []float64) {
	const k, i = 3, 1
	rng := testkit.NewRand(9_000 + seed)
	f, g := Gaussian(rng, 2*k, k), Gaussian(rng, 2*k, k)
	derivative := func(f, g *mat.Dense) (all [][]float64) {
		batch, k := f.Dims()
		mean := 1 / float64(batch)
		m, n := Scaled(mean, Gram(f)), Scaled(mean, Product(f.T(), g))
		add := func(c float64, of *mat.Dense, q int) {
			all = append(all, floats.ScaleTo(make([]float64, batch), c*mean, mat.Col(nil, q, of)))
		}
		for j, c := range coefficients { // c tr(M^j N)
			for q := range k {
				add(c*Power(m, j).At(q, i), g, q)
			}
			for a := range j { // tr(M^a dM M^{j−1−a} N)
				w := Product(Power(m, j-1-a), n, Power(m, a))
				for q := range k {
					add(c*w.At(q, i), f, q)
					add(c*w.At(i, q), f, q)
				}
			}
		}
		return all
	}
	target = make([]float64, 2*k)
	for _, s := range derivative(Columns(f, 0, i+1), Columns(g, 0, i+1)) {
		floats.Add(target, s)
	}
	return derivative(f, g), target
}

// Section 2.3.1: for p > 1 the loss of the prefix i with all functions except f_i stopped is the loss of the leading
// i×i block of M^seq with its first i − 1 rows and columns stopped. The sum over i has the gradients of sequential
// nesting.
func TestSequentialNestingAtHigherOrder(t *testing.T) {
	claim := papertest.Of(t, "seq-higher-order-hard")
	const batch, k = 12, 4
	// loss is tr(Q(M)N) of OMM-2 for symmetric M.
	loss := func(m, n *Node) *Node {
		power, q := identity(m), MulScalar(identity(m), coefficients[2][0])
		for _, c := range coefficients[2][1:] {
			power = MatMul(power, m)
			q = Add(q, MulScalar(power, c))
		}
		return ReduceAllSum(Mul(q, n))
	}
	rng := testkit.NewRand(25)
	f, tf := Gaussian(rng, batch, k), Gaussian(rng, batch, k)
	_, sumDF, sumDTF := onValues(t, func(f, tf *Node) *Node {
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
			sum = Add(sum, loss(ofI(m), ofI(n)))
		}
		return sum
	})(f, tf)
	// Column i of the wanted gradient is from the prefix that ends with function i.
	dF, dTF := mat.NewDense(batch, k, nil), mat.NewDense(batch, k, nil)
	for i := range k {
		_, df, dtf := onValues(t, prefixLoss(ommlx.OMM{Orders: ommlx.Order(2)}, i+1))(f, tf)
		dF.SetCol(i, mat.Col(nil, i, df))
		dTF.SetCol(i, mat.Col(nil, i, dtf))
	}
	claim.Corrected.Same(t, "relative difference of the gradients for f, sum over prefixes and single prefixes, OMM-2",
		dF, sumDF, 1e-12)
	claim.Corrected.Same(t, "for Tf", dTF, sumDTF, 1e-12)
}

// costOf counts, from shapes, the multiply-adds of all matrix products of loss and gradients for F and TF: as the graph
// is written, and with equal products merged, as a compiler does.
func costOf(t *testing.T, loss func(f, tf *Node) *Node, batch, k int) (written, merged float64) {
	g := NewGraph(testkit.PureGo(t), t.Name())
	defer g.Finalize()
	f := Parameter(g, "F", shapes.Make(dtypes.Float64, batch, k))
	tf := Parameter(g, "TF", shapes.Make(dtypes.Float64, batch, k))
	l := loss(f, tf)
	number, values := map[NodeId]int{}, map[string]int{} // equal for equal products
	var visit func(n *Node) int
	visit = func(n *Node) int {
		if v, seen := number[n.Id()]; seen {
			return v
		}
		key, size := []any{n.Type(), n.Shape()}, 0.0
		for _, input := range n.Inputs() {
			key = append(key, visit(input))
		}
		switch n.Type() {
		case NodeTypeIdentity: // StopGradient is one
			number[n.Id()] = visit(n.Inputs()[0])
			return number[n.Id()]
		case NodeTypeDotGeneral: // (m×n)(n×p): the sizes of the three matrices multiply to (mnp)²
			size = math.Sqrt(float64(n.Inputs()[0].Shape().Size() * n.Inputs()[1].Shape().Size() * n.Shape().Size()))
		case NodeTypeTranspose:
		default:
			key = append(key, n.Id())
		}
		written += size
		v, known := values[fmt.Sprint(key...)]
		if !known {
			v, merged = len(values), merged+size
			values[fmt.Sprint(key...)] = v
		}
		number[n.Id()] = v
		return v
	}
	for _, n := range append([]*Node{l}, Gradient(l, f, tf)...) {
		visit(n)
	}
	return written, merged
}

// Appendix B.3: OMM-1 costs O(Bk²), like LoRA and ALLO, and OMM-p O(Bk² + pk³): by Horner's rule 2p − 2 more products
// of k×k matrices than OMM-1, and twice as many in the gradient.
func TestComplexity(t *testing.T) {
	claim, gradient := papertest.Of(t, "complexity"), papertest.Of(t, "lora-omm-same-gradient-cost")
	const what = "largest relative difference of the multiply-adds from "
	for _, batch := range []int{64, 512, 4096} {
		for _, k := range []int{4, 16, 64} {
			moments, powers := float64(batch*k*k), float64(k*k*k)
			for p := 1; p <= 8; p++ {
				_, count := costOf(t, lossOf(ommlx.OMM{Orders: ommlx.Order(p)}), batch, k)
				claim.Printed.Agree(t, what+"5Bk² + 6(p − 1)k³", 5*moments+6*float64(p-1)*powers, count, 0)
			}
			_, lora := costOf(t, lossOf(ommlx.LoRA{}), batch, k)
			papertest.Every(claim.Printed, gradient.Printed).Agree(t, "relative difference of LoRA's multiply-adds "+
				"from OMM-1's", 5*moments, lora, 0)
			_, allo := costOf(t, lossOf(ommlx.ALLO{}), batch, k)
			claim.Printed.Within(t, "ALLO's over OMM-1's", allo/(5*moments), 2)
		}
	}
}

// Section 2.3.1. The printed code forms two more products of B×k tables; a step of the network of section 3.1 takes
// 2·3·B·(2·256 + 2·256² + 256k) multiply-adds.
func TestSequentialNestingCost(t *testing.T) {
	claim := papertest.Of(t, "seq-no-overhead")
	for _, k := range []int{11, 50} {
		const batch, width = 1024, 256
		printed, _ := costOf(t, listing(""), batch, k)
		nested, _ := costOf(t, listing("seq"), batch, k)
		network := float64(6 * batch * (2*width + 2*width*width + width*k))
		what := fmt.Sprintf("share of a step of section 3.1 that nesting adds in the printed code, k = %d", k)
		claim.Printed.Within(t, what, (nested-printed)/(network+printed), 0.01)
		claim.Corrected.Agree(t, "the same in the printed code as it is written, from a third", 4.0/3, nested/printed,
			1e-12)
		_, plain := costOf(t, lossOf(ommlx.OMM{}), batch, k)
		_, sequential := costOf(t, lossOf(ommlx.OMM{Nesting: ommlx.Sequential}), batch, k)
		claim.Printed.Within(t, "multiply-adds that nesting adds, over those without, equal products merged",
			sequential/plain-1, 0)
		claim.Note("k = %d: nesting adds %.2f of the products of the moments in the printed code", k, nested/printed-1)
	}
}

// Theorem 2, footnote: for repeated eigenvalues the minimiser of joint nesting has orthonormal columns in the
// eigenspaces.
func TestJointMinimiserOfARepeatedEigenvalue(t *testing.T) {
	claim := papertest.Of(t, "theorem2-degenerate")
	program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint})
	for _, k := range []int{2, 3, 4} { // part of the eigenspace of 2, all of it, and one more
		s := newSpectrum(testkit.NewRand(740), 4, 2, 2, 1, 0.5, 0.25)
		_, v := s.minimise(t, program, 0.4, k)
		claim.Corrected.Same(t, "relative distance of VᵀV from I where L-BFGS ends", Eye(k), Gram(v), 1e-4)
		two := Columns(s.w, 1, 3)
		for i, space := range []*mat.Dense{s.mode(0), two, two, s.mode(3)}[:k] {
			claim.Corrected.Within(t, "largest part of a column outside of its eigenspace",
				mat.Norm(Product(residual(space), Columns(v, i, i+1)), 2), 1e-4)
		}
		if k == 2 {
			claim.Printed.Beyond(t, "part of the cut eigenspace that the columns do not span",
				mat.Norm(Product(residual(Columns(v, 1, 2)), two), 2), 0.9)
		}
	}
}
