package lab

import (
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// Training is how an experiment is trained, as data: a part of its JSON and so of its key.
type Training struct {
	Steps int        `json:"steps"` // optimiser steps
	Adam  optim.Adam `json:"adam"`
	// RMSProp takes the steps in place of Adam, if it is there.
	RMSProp *optim.RMSProp `json:"rmsprop,omitempty"`
	EMA     optim.EMA      `json:"ema"`
	// EvalEvery is the number of steps between evaluations, as in [train.Config].
	EvalEvery int `json:"eval_every"`
}

// Config is the same for the training loop.
func (t Training) Config() train.Config {
	c := train.Config{Steps: t.Steps, Optimiser: t.Adam, EMA: t.EMA, EvalEvery: t.EvalEvery}
	if t.RMSProp != nil {
		c.Optimiser = *t.RMSProp
	}
	return c
}
