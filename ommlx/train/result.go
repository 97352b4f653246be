package train

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
)

// Snapshot is the state of a training after a step.
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
	// Loss is, for each run, the mean over the finite steps since the previous point; without any, the loss of its
	// last finite step, or NaN. It is nil at step 0.
	Loss  PerRun `json:"loss,omitempty"`
	Value PerRun `json:"value,omitempty"` // what Options.Eval returned
}

// Result is the outcome of a training.
type Result struct {
	Snapshot          // at the end
	Diverged []int    // [R]: the step (from 1) at which the run diverged; 0: it did not
	Causes   []string // [R]: the quantity that was not finite, "loss" or "gradient"; "" for none
	History  []Point
	Seconds  float64 // wall time in the loop, over all sessions
}

// PerRun holds one number for each run, [R]. In JSON, NaN and the infinities, which occur in the history of diverged
// runs, are the strings "NaN", "+Inf" and "-Inf".
type PerRun []float64

// MarshalJSON writes an array of numbers and of the three strings.
func (p PerRun) MarshalJSON() ([]byte, error) {
	return json.Marshal(xslices.Map(p, func(x float64) any {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
		return x
	}))
}

// UnmarshalJSON reads what MarshalJSON writes, exactly.
func (p *PerRun) UnmarshalJSON(data []byte) error {
	var in []json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*p = make(PerRun, len(in))
	for i, raw := range in {
		switch text := string(raw); text {
		case "null": // package json would read it as 0
			return fmt.Errorf("entry %d of numbers per run is null", i)
		case `"NaN"`, `"+Inf"`, `"-Inf"`:
			(*p)[i], _ = strconv.ParseFloat(text[1:len(text)-1], 64)
		default:
			if err := json.Unmarshal(raw, &(*p)[i]); err != nil {
				return fmt.Errorf("entry %d of numbers per run: %w", i, err)
			}
		}
	}
	return nil
}
