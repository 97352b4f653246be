// Package ommlx learns the leading eigenfunctions of linear operators with neural networks by the Orbital Minimization
// Method (OMM), and by the objectives that it is compared with.
//
// Everything enters through two batches of numbers: f (B×k), the values of k functions on B samples, and Tf (B×k),
// those of the operator applied to them. An Objective turns them into a loss whose gradient trains f:
//
//	loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: tf}, nil)
//
// All functions that take or return *Node build GoMLX graphs. They may be used inside the body of a While, on any
// backend, and like GoMLX they panic on wrong input; the executor turns that into an error. Every argument may have a
// leading axis of R independent runs.
//
// Equation numbers are those of the PDF of the paper "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition".
package ommlx

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Batch is what an objective sees: the values of k functions on B samples. A leading axis of R independent runs is
// allowed everywhere, or nowhere.
type Batch struct {
	// F and TF are f(x_b) and (Tf)(x_b), [R,] B×k. A one-sample estimate of Tf, such as f at a sampled successor of
	// x_b, will do wherever an objective uses TF linearly; that is everywhere but in ALLO (see there), in NeuralEF,
	// which squares and divides means of it, and in SimCLR, which decomposes no operator.
	F, TF *Node
	// Form stands in the place of TF where ⟨f_i, Tf_j⟩ is known without Tf, as in the weak form of a differential
	// operator: M[f,Tf] = Σ_t M[Left_t, Right_t]. TF is nil then. All objectives of this package take it but those that
	// need Tf itself: ALLO with GraphSampled, and SimCLR.
	Form []Term
	// Identity is c where cI is a part of T beside what TF or Form says; both may be nil then. M[f,Tf] has c M[f] more.
	// In OMM, Sanger and LoRA that is from the batches for M[f], see [Differences] and [Penalised]; in all others from
	// F.
	Identity float64
	// OneSided lets no gradient pass through TF, or the Right of a Term: what ⟨f_i, T δf_j⟩ would add to that of
	// M[f,Tf] is taken from its equal ⟨δf_j, Tf_i⟩, which holds in expectation if T is self-adjoint. M[f,Tf] is made
	// symmetric.
	//
	// The gradient of a network is then that of its values alone, for about half the price where Tf has derivatives in
	// it; and where Tf_i is λ_i f_i at every sample, so is what f_i moves by, without noise. Sanger is always like
	// this. So is the published code of NeuralSVD, which LoRA with Sequential is: in Ryu et al. 2024,
	// methods/nestedlora.py, the gradient of the operator term is −4 Tf_i for f_i and none for Tf_i. The paper does not
	// mention it; its formulas are two-sided.
	OneSided bool
	// Overlap is f on one or two further batches, [R,] B'×k, whose samples are independent of those of F and of each
	// other: M[f] is the mean of their second moments. Empty means that M[f] is that of F.
	//
	// An average of M[f] M[f,Tf] over batches is not the product of the averages as long as both factors are from the
	// same samples: loss and gradient have a bias of order 1/B. What independent factors leave of it:
	//
	//	OMM of order 1, Sanger  none: they are linear in M[f] and in M[f,Tf]
	//	LoRA                    none with two batches, as tr(M[f] M[f]) is tr(M₁ M₂) then; of order 1/B' with one
	//	OMM of higher order     of order 1/B': the powers of M[f] are those of one matrix
	//	SpIN, NeuralEF          of order 1/B and 1/B': they divide by second moments
	//
	// All nestings keep their rules: M^seq[f] has its stop-gradients on each batch. ALLO takes two batches, for its
	// constraint, or none, which means F twice. SimCLR knows no M[f] and does not look at them.
	Overlap []*Node
}

// Objective is a training loss.
type Objective interface {
	// Name is a short id such as "omm_seq". It does not tell all settings: it is a label, not a key.
	Name() string
	// InitState returns what the objective carries from one step to the next, float32, for k functions and a leading
	// axis of that many runs; runs = 0 means no leading axis. It is nil for a stateless objective.
	InitState(runs, k int) []*tensors.Tensor
	// Loss returns the loss, [R] or a scalar, in the type of F: one per run, whose gradient with respect to F and TF is
	// what trains. next is the state of the following step, in the shapes and types of state; nil for a stateless
	// objective.
	//
	// Runs do not touch each other, so the gradient of the sum over runs holds that of every run. It panics where Check
	// would return an error, and where the batch's shapes do not fit.
	Loss(b Batch, state []*Node) (loss *Node, next []*Node)
}

// validator is what the objectives of this package also are; of another's it is not required.
type validator interface {
	Validate(k int) error
}

// Check reports whether the settings of o make sense for k functions. Call it before training starts: the same mistake
// would otherwise surface only while the graph is built. An objective may have a method Validate(k int) error; one that
// does not have it is taken to be right.
func Check(o Objective, k int) error {
	if o == nil {
		return fmt.Errorf("the objective is nil: choose one, for example OMM{}")
	}
	if k < 1 {
		return fmt.Errorf("objective %s is asked for %d functions: at least 1 is needed", o.Name(), k)
	}
	if v, ok := o.(validator); ok {
		if err := v.Validate(k); err != nil {
			return fmt.Errorf("objective %s: %w", o.Name(), err)
		}
	}
	return nil
}

// mustBeValid is Check while a graph is built, with the batch's shapes.
func mustBeValid(o Objective, b Batch) {
	if b.F == nil || b.TF != nil && b.Form != nil || b.TF == nil && b.Form == nil && b.Identity == 0 {
		panic(fmt.Errorf("objective %s: F and TF must both be given, or F and Form in the place of TF", o.Name()))
	}
	f := b.F.Shape()
	if rank := f.Rank(); rank != 2 && rank != 3 || !f.DType.IsFloat() {
		panic(fmt.Errorf("objective %s: F is %s, but must be float and [batch, k] or [runs, batch, k]", o.Name(), f))
	}
	if b.TF != nil && !f.Equal(b.TF.Shape()) {
		panic(fmt.Errorf("objective %s: F is %s and TF is %s, but both must have the same shape",
			o.Name(), f, b.TF.Shape()))
	}
	for i, t := range b.Form {
		if err := t.validate(f); err != nil {
			panic(fmt.Errorf("objective %s: term %d of the form: %w", o.Name(), i, err))
		}
	}
	if err := b.validateOverlap(); err != nil {
		panic(fmt.Errorf("objective %s: %w", o.Name(), err))
	}
	if err := Check(o, f.Dim(-1)); err != nil {
		panic(err)
	}
}

// stateless is embedded by objectives that carry nothing from step to step.
type stateless struct{}

// InitState returns nil: the objective is stateless.
func (stateless) InitState(_, _ int) []*tensors.Tensor { return nil }
