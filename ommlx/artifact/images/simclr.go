package images

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
)

// SimCLR is NT-Xent, the loss of Chen, Kornblith, Norouzi, Hinton, "A Simple Framework for Contrastive Learning of
// Visual Representations" (ICML 2020), with which the paper's Table 1 compares OMM. Let z_1, …, z_2B be the features of
// two views of B images, cos the cosine, and z_j the other view of the image of z_i. The loss is the mean over all 2B
// anchors z_i of
//
//	−log( exp(cos(z_i, z_j)/τ) / Σ_{l≠i} exp(cos(z_i, z_l)/τ) ).
//
// The batch comes from [CDK]: row i of F is z_i and row i of TF is z_j. The norms of features have no effect, and
// SimCLR decomposes no operator. It is the loss of solo-learn (simclr_loss_func of solo/losses/simclr.py), whose code
// and configuration the paper uses.
//
// The temperature τ is 0.2, as in solo-learn's scripts/pretrain/cifar/simclr.yaml, which the paper cites (Section C.3)
// without naming a temperature.
type SimCLR struct{}

const temperature = 0.2

// Name returns "simclr".
func (SimCLR) Name() string { return "simclr" }

// InitState returns nil: SimCLR has no state.
func (SimCLR) InitState(_, _ int) []*tensors.Tensor { return nil }

// Loss implements [ommlx.Objective]; see SimCLR for the equation. The state is not used.
func (SimCLR) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	anchors, positives := Unit.Apply(b.F), Unit.Apply(b.TF)
	batch := []int{0}
	cosines := DotGeneral(anchors, []int{-1}, batch, anchors, []int{-1}, batch) // [R, 2B, 2B]
	similarities := Exp(DivScalar(cosines, temperature))
	g, shape := cosines.Graph(), cosines.Shape()
	others := NotEqual(Iota(g, shape, -2), Iota(g, shape, -1))
	agreement := DivScalar(ReduceSum(Mul(anchors, positives), -1), temperature)
	sums := ReduceSum(Where(others, similarities, ZerosLike(similarities)), -1)
	return ReduceMean(Sub(Log(sums), agreement), -1), nil
}
