// Package train runs the training loop: many steps in one device call, independent runs side by side on a leading axis,
// checkpoints that survive a kill, and divergence confined to the run where it happens.
package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Problem is R independent runs of one program that differ only in their seeds.
type Problem struct {
	Seeds  []int64           // one for each run; R = len(Seeds)
	Params []*tensors.Tensor // initial parameters, each [R, …], all float32 or all float64
	// State is the initial value of all other tensors that pass from step to step, each [R, …]: accumulators of an
	// objective, statistics of batch normalisation. It may be empty.
	State []*tensors.Tensor
	Data  []*tensors.Tensor // tables that the loss reads, of any shape, shared by the runs; may be empty
	Loss  LossFunc
}

// LossFunc builds one step's loss for all runs: loss [R], and the next state, shaped as in.State. It is compiled into
// the body of a device loop, so it may use only in and plain numbers, and not Sort, TopK, If or While.
type LossFunc func(in Inputs) (loss *Node, state []*Node)

func (p Problem) validate() error {
	switch {
	case len(p.Seeds) == 0:
		return errors.New("training: Seeds is empty, want one for each run")
	case len(p.Params) == 0:
		return errors.New("training: Params is empty")
	case p.Loss == nil:
		return errors.New("training: Loss is nil")
	}
	dtype := p.Params[0].DType()
	for i, t := range p.Params {
		if t.DType() != dtype || dtype != dtypes.Float32 && dtype != dtypes.Float64 {
			return fmt.Errorf("training: Params[%d] is %s, want all in float32, or all in float64", i, t.Shape())
		}
	}
	return p.areRuns("training", p.Params, p.State)
}

// areRuns returns an error if a parameter or state does not have the axis of runs.
func (p Problem) areRuns(where string, params, state []*tensors.Tensor) error {
	for i, t := range slices.Concat(params, state) {
		if t.Rank() < 1 || t.Shape().Dim(0) != len(p.Seeds) {
			return fmt.Errorf("%s: parameter or state %d has shape %s, want a leading axis of %d runs", where, i,
				t.Shape(), len(p.Seeds))
		}
	}
	return nil
}

// Inputs are the arguments of a [LossFunc].
type Inputs struct {
	Params, State, Data []*Node
	Random              *Random // this step's random numbers
}
