package optim

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Optimiser says how gradients change parameters. [Adam] and [RMSProp] are optimisers; a type of one's own is one, too,
// if it is a plain value whose methods depend on its fields alone.
type Optimiser interface {
	// Validate returns an error that names the field that is out of range.
	Validate() error
	// Slots is how many tensors of the shape of a parameter are kept for each parameter from step to step, such as the
	// two moments of Adam. They start at zero.
	Slots() int
	// Update builds one step. step is the number of steps taken before this one, an int32 scalar. params and grads are
	// lists of equal shapes, float32 or float64, and so is each of the Slots() lists slots[s]. The results are shaped
	// as params and slots.
	//
	// keep may hold entries back: of a new value and the old one, of equal shapes, it returns what is to become of it.
	// Update must pass all that it returns through keep. Package train gives one always; Adam and RMSProp take nil,
	// too, and then hold nothing back.
	Update(step *Node, params, grads []*Node, slots [][]*Node, keep func(next, old *Node) *Node) (
		newParams []*Node, newSlots [][]*Node)
}

// keepNew is what a nil keep stands for.
func keepNew(next, _ *Node) *Node { return next }

// average is the factor of an exponential average, with its name.
type average struct {
	name   string
	factor float64
}

// validate checks what the optimisers have in common.
func validate(optimiser string, rate, epsilon float64, s Schedule, averages ...average) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("%s: the learning rate is %g; it must be positive and finite", optimiser, rate)
	}
	for _, a := range averages {
		if !(a.factor >= 0 && a.factor < 1) {
			return fmt.Errorf("%s: %s is %g; it must lie in [0, 1)", optimiser, a.name, a.factor)
		}
	}
	if !(epsilon > 0) {
		return fmt.Errorf("%s: ε is %g; it must be positive", optimiser, epsilon)
	}
	return s.Validate()
}
