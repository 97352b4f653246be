package train

import (
	"fmt"

	"operator-omm/ommlx/optim"
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

func (c Config) optimiser() optim.Optimiser {
	if c.Optimiser == nil {
		return optim.Adam{}
	}
	return c.Optimiser
}
