package optim

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// Optimiser computes the change of parameters from gradients: [Adam], [RMSProp], [SGD], [LARS], [Accumulate], or a type
// of your own that is a plain value whose methods depend only on its fields.
type Optimiser interface {
	// Validate returns an error that names the field that is out of range.
	Validate() error
	// Slots is how many tensors of the shape of a parameter are kept for each parameter from step to step, such as the
	// two moments of Adam. They start at zero.
	Slots() int
	// Update builds one step. step is the number of steps taken before this one, an int32 scalar. params and grads are
	// lists of equal shapes, float32 or float64, and so is each of the Slots() lists slots[s]. Their leading axis
	// counts the independent runs, which must not mix. The results are shaped as params and slots.
	//
	// keep may hold entries back: of a new value and the old one, of equal shapes, it returns the one to use. Update
	// must pass all that it returns through keep.
	Update(step *Node, params, grads []*Node, slots [][]*Node, keep func(next, old *Node) *Node) (
		newParams []*Node, newSlots [][]*Node)
}

// setting is a number of an optimiser, which must lie in [0, below).
type setting struct {
	name         string
	value, below float64
}

// validate checks the settings in their order, then the schedule.
func validate(optimiser string, s Schedule, settings ...setting) error {
	for _, x := range settings {
		if !(x.value >= 0 && x.value < x.below) { // so is NaN
			return fmt.Errorf("%s: %s is %g, want a number in [0, %g)", optimiser, x.name, x.value, x.below)
		}
	}
	return s.Validate()
}
