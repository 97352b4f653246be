package train

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gomlx/compute"

	"omm-go/ommlx/optim"
)

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
