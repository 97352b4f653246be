package ommlx

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// LoRA is the low-rank approximation objective for a self-adjoint operator, ‖T − Σ_i f_i⊗f_i‖²_HS − ‖T‖²_HS, or
//
//	L(f) = −2 tr M[f,Tf] + tr(M[f] M[f]).
//
// Its minimisers satisfy Σ f_i⊗f_i = Σ λ_i φ_i⊗φ_i over the leading k positive eigenvalues: they have norm √λ_i,
// whereas the minimisers of OMM have norm 1. With sequential nesting it is known as NeuralSVD. Paper, section 2.3.2,
// and Ryu, Xu, Erol, Bu, Zheng, Wornell, "Operator SVD with Neural Networks via Nested Low-Rank Approximation" (2024).
type LoRA struct {
	stateless
	// Nesting is NoNesting, Joint or Sequential.
	Nesting Nesting
	// Weights are as in [OMM].
	Weights []float64
}

// Name returns "lora", "lora_jnt" or "lora_seq".
func (l LoRA) Name() string { return l.Nesting.suffixed("lora") }

// Validate returns an error if a setting is invalid for k functions.
func (l LoRA) Validate(k int) error { return l.Nesting.validate(l.Weights, k) }

// Loss returns the loss; see LoRA for the equation.
func (l LoRA) Loss(b Batch, _ []*Node) (*Node, []*Node) {
	mustBeValid(l, b)
	mT := b.linear(Batch.projected)
	if l.Nesting == Sequential {
		m1, m2 := b.overlapFactors(SeqSecondMoment)
		// The operator term has no off-diagonal entries, so it needs no stop-gradients.
		return Add(MulScalar(trace(weighted(mT, l.Weights)), -2), inner(weighted(m1, l.Weights), m2)), nil
	}
	m1, m2 := b.overlapFactors(SecondMoment)
	unit, metric := IdentityLike(m1), m1
	if l.Nesting == Joint {
		mask := constantLike(m1, JointMask(orUniform(l.Weights, m1.Shape().Dim(-1))))
		unit, metric = Mul(mask, unit), Mul(mask, m1)
	}
	return Add(MulScalar(inner(unit, mT), -2), inner(metric, m2)), nil
}
