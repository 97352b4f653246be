package optim

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// EMA is an exponential moving average of the parameters, θ̄ ← dθ̄ + (1−d)θ, starting at the initial parameters. Decay
// 0 turns it off.
type EMA struct {
	Decay float64 `json:"decay"` // d in [0, 1)
}

// Validate returns an error if the decay is out of range.
func (e EMA) Validate() error {
	if !(e.Decay >= 0 && e.Decay < 1) {
		return fmt.Errorf("EMA: Decay is %g, want a number in [0, 1), 0 for none", e.Decay)
	}
	return nil
}

// Update returns the averages after a step; shapes of average and params are equal.
func (e EMA) Update(average, params []*Node) []*Node {
	next := make([]*Node, len(params))
	for i, p := range params {
		next[i] = Add(MulScalar(average[i], e.Decay), MulScalar(p, 1-e.Decay))
	}
	return next
}
