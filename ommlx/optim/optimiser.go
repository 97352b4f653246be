package optim

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Optimiser says how gradients change parameters. [Adam], [RMSProp], [SGD] and [LARS] are optimisers; a type of one's
// own is one, too, if it is a plain value whose methods depend on its fields alone.
type Optimiser interface {
	// Validate returns an error that names the field that is out of range.
	Validate() error
	// Slots is how many tensors of the shape of a parameter are kept for each parameter from step to step, such as the
	// two moments of Adam. They start at zero.
	Slots() int
	// Update builds one step. step is the number of steps taken before this one, an int32 scalar. params and grads are
	// lists of equal shapes, float32 or float64, and so is each of the Slots() lists slots[s]. Their leading axis is
	// that of the independent runs, which must not mix. The results are shaped as params and slots.
	//
	// keep may hold entries back: of a new value and the old one, of equal shapes, it returns what is to become of it.
	// Update must pass all that it returns through keep. Package train gives one always; the optimisers of this
	// package take nil, too, and then hold nothing back.
	Update(step *Node, params, grads []*Node, slots [][]*Node, keep func(next, old *Node) *Node) (
		newParams []*Node, newSlots [][]*Node)
}

// keepNew is what a nil keep stands for.
func keepNew(next, _ *Node) *Node { return next }

// setting is a number of an optimiser, with its name and what it must be.
type setting struct {
	name  string
	value float64
	fits  bool
	must  string
}

func positive(name string, x float64) setting {
	return setting{name, x, x > 0 && !math.IsInf(x, 1), "be positive and finite"}
}

func notNegative(name string, x float64) setting {
	return setting{name, x, x >= 0 && !math.IsInf(x, 1), "be finite and not negative"}
}

// averaging is the factor of an exponential average or sum.
func averaging(name string, x float64) setting {
	return setting{name, x, x >= 0 && x < 1, "lie in [0, 1)"}
}

// validate checks the learning rate, then the other settings in their order, then the schedule.
func validate(optimiser string, rate float64, s Schedule, others ...setting) error {
	for _, x := range append([]setting{positive("the learning rate", rate)}, others...) {
		if !x.fits {
			return fmt.Errorf("%s: %s is %g; it must %s", optimiser, x.name, x.value, x.must)
		}
	}
	return s.Validate()
}
