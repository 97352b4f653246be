// Package ommlx learns the leading eigenfunctions of linear operators with neural networks by the Orbital Minimization
// Method (OMM). It also has the objectives that OMM is compared with.
//
// Evaluate k functions f on B samples and apply the operator T to them; an objective turns the two into a loss:
//
//	b := ommlx.Batch{F: f, TF: tf} // f(x_b) and (Tf)(x_b), B×k each
//	loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(b, nil)
//	gradients := Gradient(loss, parameters...)
//
// OMM{} learns the space of the leading k eigenfunctions; with Sequential or Joint nesting it learns the eigenfunctions
// in order. If T has negative eigenvalues, add a multiple of the identity by Shifted. Sanger, LoRA, ALLO, NeuralEF and
// SpIN take the same batch. Package operator makes batches, package train runs the loop, and package learn does it all
// in one call.
//
// All functions that take or return *Node build GoMLX graphs. They may be used inside the body of a While, on any
// backend, and like GoMLX they panic on wrong input; the executor turns that into an error. Every argument may have a
// leading axis of R independent runs.
//
// Equation numbers refer to the PDF of the paper "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition".
package ommlx

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

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
	// Runs do not touch each other, so the gradient of the sum over runs holds the gradient of every run. It panics
	// where Check would return an error, and where the batch's shapes do not fit.
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

// mustBeValid panics where Check would return an error, and where the batch does not fit.
func mustBeValid(o Objective, b Batch) {
	if err := b.validate(); err != nil {
		panic(fmt.Errorf("objective %s: %w", o.Name(), err))
	}
	if err := Check(o, b.F.Shape().Dim(-1)); err != nil {
		panic(err)
	}
}

// stateless is embedded by objectives that carry nothing from step to step.
type stateless struct{}

// InitState returns nil: the objective is stateless.
func (stateless) InitState(_, _ int) []*tensors.Tensor { return nil }
