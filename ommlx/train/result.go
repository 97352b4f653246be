package train

import "github.com/gomlx/gomlx/core/tensors"

// Snapshot is where a training is after a step.
type Snapshot struct {
	Step    int
	Params  []*tensors.Tensor // each [R, …]
	Average []*tensors.Tensor // their moving averages; empty without EMA
	State   []*tensors.Tensor // as [Problem].State
}

// Best returns the averages if there are any, else the parameters.
func (s Snapshot) Best() []*tensors.Tensor {
	if len(s.Average) > 0 {
		return s.Average
	}
	return s.Params
}

// Point is one evaluation.
type Point struct {
	Step int `json:"step"`
	// Loss is, for each run, the mean over the finite steps since the point before; without any, the loss of its last
	// finite step, NaN if it has none. It is nil at step 0.
	Loss  PerRun `json:"loss,omitempty"`
	Value PerRun `json:"value,omitempty"` // what Options.Eval returned
}

// Result is the outcome of a training.
type Result struct {
	Snapshot       // at the end
	Diverged []int // [R]: the step (from 1) at which the run stopped being finite; 0: it never did
	// Causes [R] says what was not finite then: a quantity of [Inputs.Watch], "loss" or "gradient"; "": it never did.
	Causes  []string
	History []Point
	Seconds float64 // wall time in the loop, all sessions together
	// Sessions are those that carried it on, each once: one for a training that was never interrupted, or went on as it
	// began. A zero one is of a caller that gave none, or of a checkpoint from before they were recorded.
	Sessions []Session
	Waited   float64 // the part of it in which the device waited for [Problem].Feed
}
