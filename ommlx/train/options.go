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

// Config is how a Problem is trained.
type Config struct {
	Steps     int             // optimiser steps
	Optimiser optim.Optimiser // nil: [optim.Adam] with its defaults
	EMA       optim.EMA       // moving average of the parameters; the zero value: none
	// EvalEvery is the number of steps between evaluations, which also are the points of the loss history: at step 0,
	// at its multiples and after the last step; 0: only after the last step.
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

// Options is what does not change the result of a training: where it runs and what it reports.
type Options struct {
	Backend compute.Backend
	// Dir keeps checkpoints and the lock, of one training; empty: none are kept.
	Dir string
	// Key names the training in its checkpoints: the hash of the caller's configuration. It must distinguish losses,
	// which checkpoints cannot compare; settings, seeds, data and initial parameters they can. Run refuses a checkpoint
	// with another key.
	Key string
	// Locked says that the caller holds the lock of Dir, see [Lock].
	Locked bool
	// CheckpointEvery is the time between checkpoints, 30 s when zero.
	CheckpointEvery time.Duration
	// Eval, if not nil, is called at the points of the history (see Config.EvalEvery) and returns one number for each
	// run. It must not keep the tensors of now.
	Eval func(now Snapshot) ([]float64, error)
	// Stop, if not nil, is called after every point of the history and ends the training by returning true. It must
	// depend only on the history, so that a resumed training ends at the same step.
	Stop func(history []Point) bool
	// Progress, if not nil, is called after each call of the device. Warn gets one line for each checkpoint that cannot
	// be used or removed.
	Progress func(Status)
	Warn     io.Writer

	oneStep bool // one step in each call of the device also where it runs the whole loop, for tests
}

// Status is how far a training is.
type Status struct {
	Step, Steps int
	FirstStep   int       // where this process took up, to compute its own speed
	Loss        []float64 // [R]: loss of the last step
	Value       []float64 // [R]: last evaluation, nil before the first
	Diverged    []int     // as in [Result]
	// Eigenvalues [R][k] are estimates at the last point of the history; nil unless package learn trains.
	Eigenvalues [][]float64
	Elapsed     time.Duration
	Stopped     bool // the last report before all steps are taken: interrupted, or every run has diverged
}

// WholeLoop reports whether many training steps run in one call of the backend, in a loop on the device, as they do in
// XLA. The pure-Go backend cannot differentiate inside of a loop (compute v0.1.2), so there every step is a call.
func WholeLoop(b compute.Backend) bool { return b.Name() == "xla" }
