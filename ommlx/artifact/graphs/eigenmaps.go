package graphs

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
)

// NeuralEigenmaps is the objective of Deng, Shi, Zhang, Cui, Lu, Zhu, "Neural Eigenfunctions Are Structured
// Representation Learners" (2022), with which the paper compares OMM on graphs (Section C.3, Table 3). With
// f̂_i = f_i/√M[f]_ii and k functions,
//
//	L(f) = −(2s/k) Σ_i { M[f̂,Tf̂]_ii − α s Σ_{j<i} ⟨f̂_i, sg Tf̂_j⟩² }.
//
// Each function maximises its Rayleigh quotient, with a penalty on its overlap with earlier functions, which are held
// constant. It is [ommlx.NeuralEF] with a penalty that does not divide by an eigenvalue. The eigenfunctions in order
// minimise each term given the earlier ones only if αs > (λ_j − λ_i)/λ_j² for all j < i; below that a mode is learned
// twice (claim eigenmaps-not-sharp).
//
// The published code (thudzj/NEigenmaps at commit 008a379, graph/main_products.py) has α = 0.3 on ogbn-products. It
// sums f K f over a block of b×b' nodes instead of taking a mean, with f̂ of squared norm 2t, t = 10, over all b + b'
// nodes. The equivalent scale s is t times the sum of the block over the mean of b and b'.
type NeuralEigenmaps struct {
	Alpha float64 // α, 0.3 when zero (the paper)
	Scale float64 // s, 1 when zero
	// Unnormalised has f in place of f̂, which leaves the loss unbounded below.
	Unnormalised bool
}

const eigenmaps = "neural_eigenmaps"

// Name returns "neural_eigenmaps".
func (NeuralEigenmaps) Name() string { return eigenmaps }

// InitState returns nil: Neural Eigenmaps have no state.
func (NeuralEigenmaps) InitState(_, _ int) []*tensors.Tensor { return nil }

// Validate returns an error if a number is out of range.
func (n NeuralEigenmaps) Validate(_ int) error {
	if !(min(n.Alpha, n.Scale) >= 0 && max(n.Alpha, n.Scale) <= 1e30) {
		return fmt.Errorf("NeuralEigenmaps: Alpha is %g and Scale %g, want positive, finite numbers, or 0 for the "+
			"default", n.Alpha, n.Scale)
	}
	return nil
}

// Loss implements [ommlx.Objective] on batches from [GraphEdges]; see NeuralEigenmaps for the equation. It ignores the
// state.
func (n NeuralEigenmaps) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	alpha, scale := cmp.Or(n.Alpha, 0.3), cmp.Or(n.Scale, 1)
	norms := ReduceMean(Square(b.F), -2) // M[f]_ii
	if n.Unnormalised {
		norms = OnesLike(norms)
	}
	mT := ommlx.SeqSecondMoment(b.F, b.TF)
	own := Div(ReduceSum(Mul(mT, ommlx.IdentityLike(mT)), -1), norms)
	shared := Square(TakeLowerTriangular(mT, -1)) // row i, column j < i
	penalty := Div(ReduceSum(Div(shared, InsertAxes(StopGradient(norms), -2)), -1), norms)
	k := float64(mT.Shape().Dim(-1))
	return MulScalar(ReduceSum(Sub(MulScalar(penalty, alpha*scale), own), -1), 2*scale/k), nil
}
