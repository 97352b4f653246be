package graphs

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
)

// NeuralEigenmaps is the objective of Deng, Shi, Zhang, Cui, Lu, Zhu, "Neural Eigenfunctions Are Structured
// Representation Learners" (2022), with which the paper compares on graphs (Section C.3, Table 3). With
// f̂_i = f_i/√M[f]_ii it is, divided by the number k of functions,
//
//	L(f) = −(2s/k) Σ_i { M[f̂,Tf̂]_ii − α s Σ_{j<i} ⟨f̂_i, sg Tf̂_j⟩² }:
//
// each function seeks the largest Rayleigh quotient, and is charged for what it has in common with those before it,
// which do not move. It is [ommlx.NeuralEF] with a charge that does not divide by an eigenvalue. The eigenfunctions in
// order are the minimum of each term given the earlier ones only if αs > (λ_j − λ_i)/λ_j² for all j < i; below that a
// mode is learned twice (claim eigenmaps-not-sharp).
//
// The published code (thudzj/NEigenmaps at commit 008a379, graph/main_products.py) has α = 0.3 on ogbn-products and no
// mean: it sums f K f over the b×b' nodes of a block of the matrix K, of which f̂ has the squared norm 2t, t = 10, in
// all b + b' together. Scale s says what that amounts to, t times the sum of the block over the mean of b and b'.
type NeuralEigenmaps struct {
	Alpha float64 // α, 0.3 when zero (the paper)
	Scale float64 // s, 1 when zero
}

// Name returns "neural_eigenmaps".
func (NeuralEigenmaps) Name() string { return "neural_eigenmaps" }

// InitState returns nil: Neural Eigenmaps have no state.
func (NeuralEigenmaps) InitState(_, _ int) []*tensors.Tensor { return nil }

// Validate returns an error that names the number that is out of range.
func (n NeuralEigenmaps) Validate(_ int) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Alpha", n.Alpha}, {"Scale", n.Scale}} {
		if !(f.value >= 0) || f.value > 1e30 {
			return fmt.Errorf("%s is %g; it must be positive and finite, or 0 for the default", f.name, f.value)
		}
	}
	return nil
}

// Loss is the interface's, on the F and TF of [GraphEdges]; see NeuralEigenmaps for the equation. State is not used.
func (n NeuralEigenmaps) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	alpha, scale := cmp.Or(n.Alpha, 0.3), cmp.Or(n.Scale, 1)
	norms := ReduceMean(Square(b.F), -2) // M[f]_ii
	mT := ommlx.SeqSecondMoment(b.F, b.TF)
	identity := ExpandLeftToRank(ConvertDType(Diagonal(mT.Graph(), mT.Shape().Dim(-1)), mT.DType()), mT.Rank())
	own := Div(ReduceSum(Mul(mT, identity), -1), norms)
	shared := Square(TakeLowerTriangular(mT, -1)) // row i, column j < i
	charge := Div(ReduceSum(Div(shared, InsertAxes(StopGradient(norms), -2)), -1), norms)
	k := float64(mT.Shape().Dim(-1))
	return MulScalar(ReduceSum(Sub(MulScalar(charge, alpha*scale), own), -1), 2*scale/k), nil
}
