package optim

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// Optimiser computes the change of parameters from gradients: [Adam], [RMSProp], [SGD], or your own plain value type
// whose methods depend only on its fields.
type Optimiser interface {
	// Validate returns an error that names the field that is out of range.
	Validate() error
	// Slots is the number of tensors kept from step to step for each parameter, in its shape, such as the two moments
	// of Adam. They start at zero.
	Slots() int
	// Update builds one step. step is the number of steps taken before this one, an int32 scalar. params, grads and
	// each of the Slots() lists slots[s] have equal shapes, float32 or float64. Their leading axis counts the
	// independent runs, which must not mix. The results have the shapes of params and slots.
	Update(step *Node, params, grads []*Node, slots [][]*Node) (newParams []*Node, newSlots [][]*Node)
}

// setting is a number of an optimiser that must lie in [0, below).
type setting struct {
	name         string
	value, below float64
}

// validate checks the settings in their order, then the schedule.
func validate(optimiser string, s Schedule, settings ...setting) error {
	for _, x := range settings {
		if !(x.value >= 0 && x.value < x.below) { // also catches NaN
			return fmt.Errorf("%s: %s is %g, want a number in [0, %g)", optimiser, x.name, x.value, x.below)
		}
	}
	return s.Validate()
}

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
