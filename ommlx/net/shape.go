package net

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/tensorx"
)

// requireWidths returns an error unless all widths are positive.
func requireWidths(network string, in int, hidden []int, out int) error {
	for _, w := range append([]int{in, out}, hidden...) {
		if w < 1 {
			return fmt.Errorf("%s: In %d, Hidden %v, Out %d, want widths of at least 1", network, in, hidden, out)
		}
	}
	return nil
}

// requireParams panics unless params have the shapes of weights after one leading axis of runs.
func requireParams(network string, params []*Node, weights []tensorx.Weight) {
	if len(params) != len(weights) {
		panic(fmt.Errorf("net.%s: got %d parameters, want %d as from Init", network, len(params), len(weights)))
	}
	for i, p := range params {
		runs, dims := params[0].Shape().Dimensions[:1], p.Shape().Dimensions
		if !slices.Equal(dims, append(runs[:1:1], weights[i].Shape...)) {
			panic(fmt.Errorf("net.%s: parameter %d is %v, want %v after the axis of runs", network, i, dims,
				weights[i].Shape))
		}
	}
}

// requireInputs panics unless x is [B, width] or [runs, B, width], with up to extra more axes in between.
func requireInputs(network string, width, runs, extra int, x *Node) {
	dims := x.Shape().Dimensions
	rank := len(dims)
	if rank < 2 || rank > 3+extra || dims[rank-1] != width || rank > 2 && dims[0] != runs {
		panic(fmt.Errorf("net.%s: inputs are %v, want [B %d] or [%d B %d]", network, dims, width, runs, width))
	}
}
