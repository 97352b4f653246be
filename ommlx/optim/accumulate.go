package optim

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Accumulate takes one step of another optimiser with the mean of Every gradients, and changes no parameter in between.
// Use it for a batch that does not fit into memory.
//
// If the loss is a mean over samples, the result equals a step on the whole batch. In OMM and SimCLR products of
// moments, negative samples and statistics of batch normalisation stay within a part.
//
// Schedules of the other optimiser count that optimiser's steps.
type Accumulate struct {
	Optimiser Optimiser
	Every     int // at least 1
}

// Validate returns an error that names the field that is out of range, also of the other optimiser.
func (a Accumulate) Validate() error {
	if a.Optimiser == nil {
		return errors.New("accumulation: no optimiser")
	}
	if a.Every < 1 {
		return fmt.Errorf("accumulation: Every is %d, want at least 1", a.Every)
	}
	return a.Optimiser.Validate()
}

// Slots is one more than the other optimiser's, for the sum of gradients.
func (a Accumulate) Slots() int { return 1 + a.Optimiser.Slots() }

// Update implements [Optimiser].
func (a Accumulate) Update(step *Node, params, grads []*Node, slots [][]*Node, keep func(next, old *Node) *Node) (
	newParams []*Node, newSlots [][]*Node) {
	every := Scalar(step.Graph(), dtypes.Int32, a.Every)
	last := Equal(Mod(step, every), AddScalar(every, -1)) // last gradient of a step
	sums, means := make([]*Node, len(params)), make([]*Node, len(params))
	for i, g := range grads {
		sum := Add(slots[0][i], g)
		means[i] = DivScalar(sum, float64(a.Every))
		sums[i] = keep(Where(last, ZerosLike(sum), sum), slots[0][i])
	}
	newParams, newSlots = a.Optimiser.Update(Div(step, every), params, means, slots[1:], func(next, old *Node) *Node {
		return keep(Where(last, next, old), old)
	})
	return newParams, append([][]*Node{sums}, newSlots...)
}
