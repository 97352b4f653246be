package net

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/operator"
)

// Table is k functions on a finite set of N states, or k columns of a matrix with N rows, that are trained as they
// stand, without a network.
//
// The numbers start small and random. A start at zero would stay there in silence: losses of second moments are even in
// f, and so have a saddle at f = 0, where the gradient vanishes.
type Table struct {
	States int // N
	Out    int // k, the number of functions
	// Scale is the standard deviation of the numbers at the start: about the norm of a function, as a mean over states.
	// A column of [operator.Matrix] has about the length Scale·√N, and 0.1 to 1 are good lengths.
	Scale float64
}

// Validate returns an error that names the field that does not fit.
func (t Table) Validate() error {
	if t.Out < 1 || t.Out > t.States {
		return fmt.Errorf("table: %d functions on %d states; there must be at least 1, and no more than states",
			t.Out, t.States)
	}
	if t.Scale == 0 {
		return fmt.Errorf("table: the scale is 0, and a start at zero stays there without a gradient; make it positive")
	}
	if !(t.Scale > 0) || math.IsInf(t.Scale, 0) {
		return fmt.Errorf("table: the scale is %g; it must be positive and finite", t.Scale)
	}
	return nil
}

// Init draws the numbers of len(seeds) runs, one tensor [R, N, k] in float32, normal with standard deviation Scale. Run
// r depends on seeds[r] alone.
func (t Table) Init(seeds []int64) []*tensors.Tensor {
	return draw([]weight{{[]int{t.States, t.Out}, normal(t.Scale)}}, seeds, 0x7ab1e)
}

// Apply returns the functions at states, int32, [B] (the same for every run) or [R, B]: [R, B, k], by
// [operator.GatherRows]. states nil stands for all of them in order, [R, N, k]. It panics, as all graph building does,
// with one sentence when shapes do not fit.
func (t Table) Apply(params []*Node, states *Node) *Node {
	requireParams("Table", params, [][]int{{t.States, t.Out}})
	if states == nil {
		return params[0]
	}
	if states.Rank() == 1 {
		states = BroadcastPrefix(states, params[0].Shape().Dim(0))
	}
	return operator.GatherRows(params[0], states)
}
