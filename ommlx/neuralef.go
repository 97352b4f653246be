package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// NeuralEF is the objective of Deng, Shi, Zhu, "NeuralEF: Deconstructing Kernels by Deep Neural Networks" (ICML 2022),
// a baseline named in section 3.2 of the paper. With f̂_i = f_i/√M[f]_ii it is
//
//	L(f) = −Σ_i { M[f̂,Tf̂]_ii − Σ_{j<i} ⟨f̂_i, sg Tf̂_j⟩² / sg M[f̂,Tf̂]_jj }:
//
// each function maximises its Rayleigh quotient, with a penalty for its overlap with the functions before it, which are
// held fixed. For a positive definite T every f_i converges to the i-th eigenfunction, where the loss is −Σ λ_i. If T
// has eigenvalues that are not positive, a denominator may be near zero: see [Shifted].
//
// The publication enforces M[f̂]_ii = 1 by a batch normalisation layer at the end of the network. Here the loss divides
// by the batch's second moment, with gradients through it as in that layer, and the norms of f are arbitrary.
type NeuralEF struct{ stateless }

// Name returns "neuralef".
func (NeuralEF) Name() string { return "neuralef" }

// Traits returns the traits of NeuralEF.
func (NeuralEF) Traits() Traits { return Traits{AnyNorms: true} }

// Loss returns the loss; see NeuralEF for the equation.
func (n NeuralEF) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(n, b)
	norms := b.overlap(func(f, _ *Node) *Node { return ReduceMean(Square(f), -2) }) // M[f]_ii
	mT := b.projected(Sequential)
	own := ReduceSum(Mul(mT, IdentityLike(mT)), -1)
	shared := Square(TakeLowerTriangular(mT, -1)) // row i, column j < i
	penalty := ReduceSum(Div(shared, InsertAxes(StopGradient(own), -2)), -1)
	// The norm of f̂_j cancels in its penalty.
	return Neg(ReduceSum(Div(Sub(own, penalty), norms), -1)), nil
}
