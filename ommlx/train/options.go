package train

import (
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
		return fmt.Errorf("training: the number of steps is %d; it must be from 1 to %d", c.Steps, math.MaxInt32)
	}
	if c.EvalEvery < 0 {
		return fmt.Errorf("training: steps between evaluations is %d; it cannot be negative", c.EvalEvery)
	}
	if err := c.optimiser().Validate(); err != nil {
		return err
	}
	return c.EMA.Validate()
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
	// Devices is on how many devices of the backend it runs; 0: on all that there are. If the number of runs is a
	// multiple of it, each device trains its part of the runs, else each step's samples are divided. The samples are
	// the same in each case, and results agree to round-off; on the same number of devices they have the same bits.
	Devices int
	// Dir keeps checkpoints and the lock; empty: none are kept.
	Dir string
	// Key identifies what a checkpoint cannot know of the problem; it may be empty. A checkpoint with another key is an
	// error.
	Key string
	// Session is what carries the training on now, for the checkpoints and [Result].Sessions. It may be zero.
	Session Session
	// CheckpointEvery is the time between checkpoints, 30 s when zero.
	CheckpointEvery time.Duration
	// Eval, if not nil, is called where the history has its points (see Config.EvalEvery) and returns one number for
	// each run. It may keep nothing of now. The history is judged with the current parameters, not their averages.
	Eval func(now Snapshot) ([]float64, error)
	// Stop, if not nil, is called after every point of the history and ends the training if it says so. It must depend
	// on the history alone, so that a training that was interrupted ends where it would have.
	Stop func(history []Point) bool
	// Locked, if not nil, is called once the folder is locked, before anything is read or computed: what another
	// process kept until then is there to be found. Its error is that of the training.
	Locked func() error
	// Keep, if not nil, is called with the result, also where every run diverged, while the folder is still locked, so
	// that no other process takes up the checkpoint of a training whose result is about to be kept. Its error is that
	// of the training.
	Keep func(*Result) error
	// Progress, if not nil, is told how far the training is; Warn gets one line for each checkpoint that could not be
	// used or removed, and one where the training goes on by another Session than it began.
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
	Stopped     bool // the last report, with steps left: the training was asked to stop, or every run has diverged
}

// WholeLoop reports whether many training steps run in one call of the backend, in a loop on the device, as they do in
// XLA. The pure-Go backend cannot differentiate inside of a loop (compute v0.1.2), so there every step is a call.
func WholeLoop(b compute.Backend) bool { return b.Name() == "xla" }
