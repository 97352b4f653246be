package artifact

import (
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// Training is a [train.Config] as the keys of kept results spell it.
type Training struct {
	Steps int        `json:"steps"`
	Adam  optim.Adam `json:"adam"`
	// RMSProp takes the steps in place of Adam, if it is there.
	RMSProp   *optim.RMSProp `json:"rmsprop,omitempty"`
	EMA       optim.EMA      `json:"ema"`
	EvalEvery int            `json:"eval_every"`
}

func (t Training) config() train.Config {
	c := train.Config{Steps: t.Steps, Optimiser: t.Adam, EMA: t.EMA, EvalEvery: t.EvalEvery}
	if t.RMSProp != nil {
		c.Optimiser = *t.RMSProp
	}
	return c
}
