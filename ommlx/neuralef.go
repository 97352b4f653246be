package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// NeuralEF is the objective of Deng, Shi, Zhu, "NeuralEF: Deconstructing Kernels by Deep Neural Networks" (ICML 2022),
// a baseline that the paper's section 3.2 names. With f̂_i = f_i/√M[f]_ii it is
//
//	L(f) = −Σ_i { M[f̂,Tf̂]_ii − Σ_{j<i} ⟨f̂_i, sg Tf̂_j⟩² / sg M[f̂,Tf̂]_jj }:
//
// each function seeks the largest Rayleigh quotient, and is charged for what it has in common with those before it,
// which do not move. For a positive definite T every f_i ends as the i-th eigenfunction, where the loss is −Σ λ_i.
// Where T has eigenvalues that are not positive, a denominator may come near zero: see Shifted.
//
// The publication asks for M[f̂]_ii = 1 and gets it from a layer of batch normalisation at the end of the network,
// which keeps a running average for use after training. Here the batch's second moment is divided out inside the loss,
// with gradients through it as in that layer; there is no average, and the norms of f are left free: only directions
// count.
type NeuralEF struct{ stateless }

// Name returns "neuralef".
func (NeuralEF) Name() string { return "neuralef" }

// Loss returns the loss; see NeuralEF for the equation.
func (n NeuralEF) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(n, b)
	norms := b.overlap(func(f *Node) *Node { return ReduceMean(Square(f), -2) }) // M[f]_ii
	mT := b.seqProjected()
	own := ReduceSum(Mul(mT, identityLike(mT)), -1)
	shared := Square(TakeLowerTriangular(mT, -1)) // row i, column j < i
	charge := ReduceSum(Div(shared, InsertAxes(StopGradient(own), -2)), -1)
	// The norm of f̂_j cancels between the numerator and the denominator of its charge.
	return Neg(ReduceSum(Div(Sub(own, charge), norms), -1)), nil
}
