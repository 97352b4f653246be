package images

import (
	"errors"
	"fmt"
	"math"

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
type SimCLR struct {
	// Temperature is τ; 0 means 0.2, as in solo-learn's scripts/pretrain/cifar/simclr.yaml, which the paper cites
	// (appendix C.3) without naming a temperature.
	Temperature float64
}

func (s SimCLR) temperature() float64 {
	if s.Temperature == 0 {
		return 0.2
	}
	return s.Temperature
}

// Name returns "simclr".
func (SimCLR) Name() string { return "simclr" }

// Validate returns an error if the temperature is invalid.
func (s SimCLR) Validate(_ int) error {
	if t := s.temperature(); !(t > 0) || math.IsInf(t, 1) {
		return fmt.Errorf("Temperature is %g, want a positive finite number", t)
	}
	return nil
}

// InitState returns nil: SimCLR has no state.
func (SimCLR) InitState(_, _ int) []*tensors.Tensor { return nil }

// Loss implements [ommlx.Objective]; see SimCLR for the equation. The state is not used.
func (s SimCLR) Loss(b ommlx.Batch, _ []*Node) (*Node, []*Node) {
	if b.F == nil || b.TF == nil || b.OneSided || b.Identity != 0 || b.F.Shape().Dim(-2) < 4 {
		panic(errors.New("images.SimCLR: batch has fewer than 2 images or does not come from CDK"))
	}
	anchors, positives := Unit.Apply(b.F), Unit.Apply(b.TF)
	batch := []int{0}
	similarities := DivScalar(DotGeneral(anchors, []int{-1}, batch, anchors, []int{-1}, batch), s.temperature())
	agreement := DivScalar(ReduceSum(Mul(anchors, positives), -1), s.temperature())
	return ReduceMean(Sub(logSumOfOthers(similarities), agreement), -1), nil
}

// logSumOfOthers returns log Σ_{l≠i} exp(s_il) of every row i: [...,] n×n to [...,] n. The largest exponent of the row
// is subtracted first, so that exponentials neither overflow nor all vanish.
func logSumOfOthers(s *Node) *Node {
	g, shape := s.Graph(), s.Shape()
	others := NotEqual(Iota(g, shape, -2), Iota(g, shape, -1))
	s = Where(others, s, Infinity(g, shape.DType, -1))
	largest := StopGradient(ReduceAndKeep(s, ReduceMax, -1))
	return Add(Log(ReduceSum(Exp(Sub(s, largest)), -1)), Squeeze(largest, -1))
}
