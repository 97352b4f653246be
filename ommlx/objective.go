// Package ommlx learns the leading eigenfunctions of linear operators with neural networks by the Orbital Minimization
// Method (OMM), and implements the objectives that OMM is compared with.
//
// Evaluate k functions f on B samples and apply the operator T to them; an objective turns the two into a loss:
//
//	b := ommlx.Batch{F: f, TF: tf} // f(x_b) and (Tf)(x_b), B×k each
//	loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(b, nil)
//	gradients := Gradient(loss, parameters...)
//
// [OMM]{} learns the span of the leading k eigenfunctions; with [Sequential] or [Joint] nesting it learns the
// eigenfunctions in order. If T has negative eigenvalues, add a multiple of the identity with [Shifted]. [Sanger],
// [LoRA], [ALLO], [NeuralEF] and [SpIN] take the same batch. Package operator makes batches, package train runs the
// training loop, and package learn does all of this in one call.
//
// Functions that take or return *Node build GoMLX graphs. They work inside the body of a While and on any backend. Like
// GoMLX they panic on invalid input; the executor turns that into an error. Every argument may have a leading axis of R
// independent runs.
//
// Equation numbers refer to the PDF of the paper "Revisiting Orbital Minimization Method for Neural Operator
// Decomposition".
package ommlx

import (
	"fmt"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Objective is a loss for training k functions on a [Batch].
type Objective interface {
	// Name is a short label such as "omm_seq". It does not identify all settings.
	Name() string
	// InitState returns the initial state that Loss updates in every step, float32, for k functions and a leading axis
	// of length runs; runs = 0 means no leading axis. It is nil for a stateless objective.
	InitState(runs, k int) []*tensors.Tensor
	// Loss returns the loss of each run, [R] or a scalar, in the type of F, to be differentiated with respect to F and
	// TF. next is the state for the following step, in the shapes and types of state; nil for a stateless objective.
	//
	// Runs are independent, so the gradient of the sum over runs contains the gradient of every run. Loss panics if
	// Check would return an error or the batch's shapes do not fit.
	Loss(b Batch, state []*Node) (loss *Node, next []*Node)
}

// Traits are what a training must know of an objective besides its loss. The zero value fits an objective whose
// minimum has functions of a definite norm.
type Traits struct {
	// Bilinear: the loss has products of M[f] and M[f,Tf], so that estimates of the two from the same samples bias it.
	Bilinear bool
	// Sampled: TF must be f at a sampled successor, without a shift.
	Sampled bool
	// Differences: the loss has its own form for pairs, so it does not take the batches of [Differences].
	Differences bool
	// AnyNorms and AnyAngles: at the minimum the norms of the functions, or the angles between them, are arbitrary.
	AnyNorms, AnyAngles bool
}

// TraitsOf returns the result of the objective's method Traits() Traits, if it has one. An objective that embeds OMM
// has OMM's, and [Shifted] those of its objective.
func TraitsOf(o Objective) (t Traits) {
	if own, ok := o.(interface{ Traits() Traits }); ok {
		t = own.Traits()
	}
	return t
}

// Check returns an error if the settings of o are invalid for k functions. Call it before training; otherwise the
// mistake surfaces when the graph is built. Check calls the objective's method Validate(k int) error, if it has one.
func Check(o Objective, k int) error {
	if o == nil {
		return fmt.Errorf("objective is nil; use OMM{}, for example")
	}
	if k < 1 {
		return fmt.Errorf("objective %s: k is %d, want at least 1", o.Name(), k)
	}
	if v, ok := o.(interface{ Validate(k int) error }); ok {
		if err := v.Validate(k); err != nil {
			return fmt.Errorf("objective %s: %w", o.Name(), err)
		}
	}
	return nil
}

// mustBeValid panics if Check would return an error or the batch is invalid.
func mustBeValid(o Objective, b Batch) {
	if err := b.validate(); err != nil {
		panic(fmt.Errorf("objective %s: %w", o.Name(), err))
	}
	if err := Check(o, b.F.Shape().Dim(-1)); err != nil {
		panic(err)
	}
}

// perRun returns the dimensions of a state after a leading axis of runs, and without one for runs = 0.
func perRun(runs int, dims ...int) []int {
	if runs == 0 {
		return dims
	}
	return append([]int{runs}, dims...)
}

// stateless is embedded by objectives without state.
type stateless struct{}

// InitState returns nil, since the objective is stateless.
func (stateless) InitState(_, _ int) []*tensors.Tensor { return nil }

// Lookup returns the objective with this [Objective.Name] in the paper's settings, such as "omm_seq". The error for an
// unknown name lists the known names.
func Lookup(name string) (Objective, error) {
	second, mixture := []float64{0, 1}, []float64{1, 1}
	var names []string
	for _, o := range []Objective{
		OMM{}, OMM{Nesting: Joint}, OMM{Nesting: Sequential},
		OMM{Orders: second}, OMM{Orders: second, Nesting: Joint},
		OMM{Orders: mixture}, OMM{Orders: mixture, Nesting: Joint},
		Sanger{}, LoRA{}, LoRA{Nesting: Joint}, LoRA{Nesting: Sequential},
		ALLO{}, ALLO{Graph: GraphMoments}, NeuralEF{}, SpIN{},
	} {
		if o.Name() == name {
			return o, nil
		}
		names = append(names, o.Name())
	}
	return nil, fmt.Errorf("ommlx: unknown objective %q; choose one of %s", name, strings.Join(names, ", "))
}
