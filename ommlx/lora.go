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
	// The operator term has no off-diagonal entries, so it needs no stop-gradients.
	mT := b.linear(func(b Batch) *Node { return b.projected(NoNesting) })
	m1, m2 := b.overlapFactors(l.Nesting.moment)
	weighted := func(m *Node) *Node { return l.Nesting.weighted(m, l.Weights) }
	return Add(MulScalar(trace(weighted(mT)), -2), inner(weighted(m1), m2)), nil
}
