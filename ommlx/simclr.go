package ommlx

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// SimCLR is NT-Xent, the loss of Chen, Kornblith, Norouzi, Hinton, "A Simple Framework for Contrastive Learning of
// Visual Representations" (ICML 2020), with which the paper's Table 1 compares OMM. For the features z_1, …, z_2B of
// two views of B images, cos their cosine and z_j the other view of the image of z_i, it is the mean over all 2B
// anchors z_i of
//
//	−log( exp(cos(z_i, z_j)/τ) / Σ_{l≠i} exp(cos(z_i, z_l)/τ) ).
//
// The batch is that of function CDK of artifact/images: row i of F is z_i, all 2B of them, and row i of TF is z_j. The
// norms of features do not count. There is no second moment M[f], so Overlap has no part in it; Form and OneSided have
// no meaning here and are refused.
//
// So has it solo-learn, whose code and configuration the paper takes (simclr_loss_func of solo/losses/simclr.py).
type SimCLR struct {
	stateless
	// Temperature is τ; 0 means 0.2, as in solo-learn's scripts/pretrain/cifar/simclr.yaml, to which the paper refers
	// (appendix C.3) without a temperature of its own.
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

// Validate reports settings that make no sense.
func (s SimCLR) Validate(_ int) error {
	if t := s.temperature(); !(t > 0) || math.IsInf(t, 1) {
		return fmt.Errorf("Temperature is %g: it must be positive and finite", t)
	}
	return nil
}

// Decomposes returns an error if an objective decomposes no operator, as SimCLR does not: it takes views of images.
func Decomposes(o Objective) error {
	if _, views := o.(SimCLR); views {
		return fmt.Errorf("method %s is for views of images, and decomposes no operator; choose another, "+
			"such as omm_seq", o.Name())
	}
	return nil
}

// Loss is the interface's; see SimCLR for the equation. State is not used.
func (s SimCLR) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(s, b)
	if b.TF == nil || b.OneSided || b.Identity != 0 {
		panic(fmt.Errorf("objective %s needs TF itself and its gradient: give both views, leave OneSided false and "+
			"Identity 0", s.Name()))
	}
	if n := b.F.Shape().Dim(-2); n < 4 {
		panic(fmt.Errorf("objective %s: F has %d rows, but must hold both views of 2 images at least: "+
			"an image is told from others", s.Name(), n))
	}
	anchors, positives := UnitNorm.Apply(b.F), UnitNorm.Apply(b.TF)
	batch := leadingAxes(anchors)
	similarities := DivScalar(DotGeneral(anchors, []int{-1}, batch, anchors, []int{-1}, batch), s.temperature())
	agreement := DivScalar(ReduceSum(Mul(anchors, positives), -1), s.temperature())
	return ReduceMean(Sub(logSumOfOthers(similarities), agreement), -1), nil
}

// logSumOfOthers returns log Σ_{l≠i} exp(s_il) of every row i: [...,] n×n to [...,] n. Exponents are taken from the
// largest of the row, so that they neither overflow nor all vanish.
func logSumOfOthers(s *Node) *Node {
	g, shape := s.Graph(), s.Shape()
	others := NotEqual(Iota(g, shape, -2), Iota(g, shape, -1))
	s = Where(others, s, Infinity(g, shape.DType, -1))
	largest := StopGradient(ReduceAndKeep(s, ReduceMax, -1))
	return Add(Log(ReduceSum(Exp(Sub(s, largest)), -1)), Squeeze(largest, -1))
}
