// Package train runs the training loop: many steps in one call of the device, independent runs side by side
// on a leading axis, checkpoints that survive a kill, divergence contained to the run in which it happens.
package train

import (
	"fmt"

	"operator-omm/ommlx/optim"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Problem is what is trained: R independent runs of one program, that differ in their seeds alone.
type Problem struct {
	Seeds  []int64           // one for each run; R = len(Seeds)
	Params []*tensors.Tensor // initial parameters, each [R, …], all float32 or all float64
	State  []*tensors.Tensor // what the objective carries from step to step, each [R, …]; may be empty
	Data   []*tensors.Tensor // tables that the loss reads, of any shape, shared by the runs; may be empty
	Loss   LossFunc
}

// LossFunc builds the loss of one step for all runs: loss [R], and the next state, shaped as in.State.
// It is compiled into the body of a device loop, so it must not use values from outside of in other than
// plain numbers, and none of Sort, TopK, If and While.
type LossFunc func(in Inputs) (loss *Node, state []*Node)

// Inputs is what a [LossFunc] sees.
type Inputs struct {
	Params, State, Data []*Node
	Random              *Random // this step's random numbers
}

// Config is how a Problem is trained.
type Config struct {
	Steps int        `json:"steps"` // optimiser steps
	Adam  optim.Adam `json:"adam"`
	// RMSProp takes the steps in place of Adam, if it is there.
	RMSProp *optim.RMSProp `json:"rmsprop,omitempty"`
	EMA     optim.EMA      `json:"ema"`
	// EvalEvery is the number of steps between evaluations, which also are the points of the loss history: at step 0,
	// at its multiples and at the end; 0: only at the end.
	EvalEvery int `json:"eval_every"`
}

// Validate returns an error that names the field that is out of range.
func (c Config) Validate() error {
	if c.Steps < 1 {
		return fmt.Errorf("training: the number of steps is %d; it must be at least 1", c.Steps)
	}
	if c.EvalEvery < 0 {
		return fmt.Errorf("training: steps between evaluations is %d; it cannot be negative", c.EvalEvery)
	}
	if err := c.optimiser().Validate(); err != nil {
		return err
	}
	return c.EMA.Validate()
}

// optimiser is what [optim.Adam] and [optim.RMSProp] have in common.
type optimiser interface {
	Validate() error
	Update(step *Node, params, grads, m, v []*Node, keep func(next, old *Node) *Node) (newParams, newM, newV []*Node)
}

func (c Config) optimiser() optimiser {
	if c.RMSProp != nil {
		return c.RMSProp
	}
	return c.Adam
}

func (p Problem) validate() error {
	switch {
	case len(p.Seeds) == 0:
		return fmt.Errorf("training: no seeds given; give one for each run")
	case len(p.Params) == 0:
		return fmt.Errorf("training: the problem has no parameters")
	case p.Loss == nil:
		return fmt.Errorf("training: the problem has no loss")
	}
	dtype := p.Params[0].DType()
	for i, t := range p.Params {
		if t.DType() != dtype || dtype != dtypes.Float32 && dtype != dtypes.Float64 {
			return fmt.Errorf("training: parameter %d is %s; all must be float32, or all float64", i, t.Shape())
		}
	}
	for i, t := range append(append([]*tensors.Tensor{}, p.Params...), p.State...) {
		if t.Rank() < 1 || t.Shape().Dim(0) != len(p.Seeds) {
			return fmt.Errorf("training: parameter or state %d has shape %s; its leading axis must count the %d runs",
				i, t.Shape(), len(p.Seeds))
		}
	}
	return nil
}

// Point is one evaluation.
type Point struct {
	Step int `json:"step"`
	// Loss is, for each run, the mean over the finite steps since the point before; without any, the loss of its
	// last finite step, NaN if it has none. It is nil at step 0.
	Loss  PerRun `json:"loss,omitempty"`
	Value PerRun `json:"value,omitempty"` // what Options.Eval returned
}

// Result is the outcome of a training.
type Result struct {
	Params   []*tensors.Tensor // final parameters, each [R, …]
	Average  []*tensors.Tensor // their moving averages; empty without EMA
	Diverged []int             // [R]: the step (from 1) at which the run stopped being finite; 0: it never did
	History  []Point
	Steps    int
	Seconds  float64 // wall time in the loop, all sessions together
}
