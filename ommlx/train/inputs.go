package train

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// Inputs is what a [LossFunc] sees.
type Inputs struct {
	Params, State, Data []*Node
	Fed                 []*Node // this step's batch from [Problem].Feed
	Random              *Random // this step's random numbers

	watched *[]watched
}

// given says how many inputs there are.
func (in Inputs) given() string {
	return fmt.Sprintf("; the problem gives %d Params, %d State, %d Data and %d Fed",
		len(in.Params), len(in.State), len(in.Data), len(in.Fed))
}

// watched is a quantity that [Inputs.Watch] was given.
type watched struct {
	name string
	x    *Node
}

func namesOf(quantities []watched) (names []string) {
	for _, w := range quantities {
		names = append(names, w.name)
	}
	return names
}

// Watch names a quantity of the step, x [R, …] of a floating type, such as F or TF. The cause of a divergence in
// [Result].Causes is the first quantity of the run that is not finite: the watched ones in the order of the calls, then
// the loss, then the gradient. A quantity counts as finite if the sum of its squares is. Watching changes no number of
// a training, and it does nothing in [Problem.Evaluate].
//
// Graph building panics if the leading axis of x does not count the runs.
func (in Inputs) Watch(name string, x *Node) {
	if in.watched == nil {
		return
	}
	runs := in.Random.runs()
	if x.Rank() < 1 || x.Shape().Dim(0) != runs || !x.DType().IsFloat() {
		panic(fmt.Errorf("the watched quantity %s has shape %s; it must be of a floating type and have a leading axis "+
			"that counts the %d runs", name, x.Shape(), runs))
	}
	*in.watched = append(*in.watched, watched{name, x})
}
