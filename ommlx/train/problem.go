// Package train runs the training loop: many steps in one device call, independent runs side by side on a leading axis,
// checkpoints that survive a kill, and divergence confined to the run where it happens.
package train

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/optim"
)

// Problem is R independent runs of one program that differ only in their seeds.
type Problem struct {
	Seeds  []int64           // one for each run; R = len(Seeds)
	Params []*tensors.Tensor // initial parameters, each [R, …], all float32 or all float64
	// State is the initial value of all other tensors that pass from step to step, each [R, …]: accumulators of an
	// objective, statistics of batch normalisation. It may be empty.
	State []*tensors.Tensor
	Data  []*tensors.Tensor // tables that the loss reads, of any shape, shared by the runs; may be empty
	Loss  LossFunc
}

// LossFunc builds one step's loss for all runs: loss [R], and the next state, shaped as in.State. It is compiled into
// the body of a device loop, so it may use only in and plain numbers, and not Sort, TopK, If or While.
type LossFunc func(in Inputs) (loss *Node, state []*Node)

func (p Problem) validate() error {
	switch {
	case len(p.Seeds) == 0:
		return errors.New("training: Seeds is empty, want one for each run")
	case len(p.Params) == 0:
		return errors.New("training: Params is empty")
	case p.Loss == nil:
		return errors.New("training: Loss is nil")
	}
	dtype := p.Params[0].DType()
	for i, t := range p.Params {
		if t.DType() != dtype || dtype != dtypes.Float32 && dtype != dtypes.Float64 {
			return fmt.Errorf("training: Params[%d] is %s, want all in float32, or all in float64", i, t.Shape())
		}
	}
	return p.areRuns("training", p.Params, p.State)
}

// areRuns returns an error if a parameter or state does not have the axis of runs.
func (p Problem) areRuns(where string, params, state []*tensors.Tensor) error {
	for i, t := range slices.Concat(params, state) {
		if t.Rank() < 1 || t.Shape().Dim(0) != len(p.Seeds) {
			return fmt.Errorf("%s: parameter or state %d has shape %s, want a leading axis of %d runs", where, i,
				t.Shape(), len(p.Seeds))
		}
	}
	return nil
}

// Inputs are the arguments of a [LossFunc].
type Inputs struct {
	Params, State, Data []*Node
	Random              *Random // this step's random numbers
}

// Config specifies how a Problem is trained.
type Config struct {
	Steps     int             // optimiser steps
	Optimiser optim.Optimiser // nil: [optim.Adam] with its defaults
	EMA       optim.EMA       // moving average of the parameters; the zero value: none
	// EvalEvery is the number of steps between evaluations, each a point of the history: at step 0, at multiples of
	// EvalEvery and after the last step. If 0, only after the last step.
	EvalEvery int
}

// Validate returns an error that names the field that is out of range.
func (c Config) Validate() error {
	if c.Steps < 1 || c.Steps > math.MaxInt32 {
		return fmt.Errorf("training: Steps is %d, want 1 to %d", c.Steps, math.MaxInt32)
	}
	if c.EvalEvery < 0 {
		return fmt.Errorf("training: EvalEvery is %d, want 0 or more", c.EvalEvery)
	}
	return cmp.Or(c.optimiser().Validate(), c.EMA.Validate())
}

func (c Config) optimiser() optim.Optimiser {
	if c.Optimiser == nil {
		return optim.Adam{}
	}
	return c.Optimiser
}

// averages reports whether the training keeps averages of the parameters.
func (c Config) averages() bool { return c.EMA.Decay > 0 }

// Options do not affect the result of a training: they say where it runs and what it reports.
type Options struct {
	Backend compute.Backend
	Dir     string // folder of the training's checkpoints and lock; empty: neither is kept
	// Key identifies the loss in checkpoints. Run refuses a checkpoint with another key, or with other settings, seeds,
	// data or initial parameters.
	Key             string
	Locked          bool          // the caller holds the lock of Dir; see [Lock]
	CheckpointEvery time.Duration // time between checkpoints; 0: 30 s
	// Eval, if not nil, is called at the points of the history (see Config.EvalEvery) and returns one number for each
	// run, or nil. It must not keep the tensors of now.
	Eval func(now Snapshot) ([]float64, error)
	// Stop, if not nil, is called after every point of the history and ends the training by returning true. It must
	// depend only on the history, so that a resumed training ends at the same step.
	Stop func(history []Point) bool
	// Progress, if not nil, is called after each device call. Warn receives one line for each checkpoint that cannot be
	// used or removed.
	Progress func(Status)
	Warn     io.Writer

	oneStep bool // for tests: one step in each device call, even where it could run the whole loop
}

// Status is the progress of a training.
type Status struct {
	Step, Steps int         // equal in the last report, unless Stopped
	FirstStep   int         // where this process started or resumed, to compute its speed
	Loss        []float64   // [R]: loss of the last step
	Value       []float64   // [R]: last evaluation, nil before the first
	Diverged    []int       // as in [Result]
	Eigenvalues [][]float64 // [R][k]: recent estimates; nil unless package learn trains
	Snapshot    Snapshot    // the state after Step; its tensors are valid only during the call
	Elapsed     time.Duration
	Stopped     bool // the last report came before all steps were taken: interrupted, or every run has diverged
}
