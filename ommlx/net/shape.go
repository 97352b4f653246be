package net

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// requireParams panics with one sentence unless params have these shapes behind one leading axis of runs.
func requireParams(network string, params []*Node, shapes [][]int) {
	if len(params) != len(shapes) {
		panic(fmt.Errorf("net.%s takes %d parameters with these fields, got %d; give what its Init returns",
			network, len(shapes), len(params)))
	}
	for i, p := range params {
		if p == nil {
			panic(fmt.Errorf("net.%s: parameter %d is nil; give those that Init returns", network, i))
		}
		dims := p.Shape().Dimensions
		if len(dims) == 0 || !slices.Equal(dims[1:], shapes[i]) || dims[0] != params[0].Shape().Dim(0) {
			panic(fmt.Errorf("net.%s: parameter %d has the shape %v; it must be %v behind the axis of runs, "+
				"so give what Init of this network returns", network, i, dims, shapes[i]))
		}
	}
}

// requireInputs panics with one sentence unless x is [B, width] or [runs, B, width], or has up to own further axes
// between, as inputs of each network of a run have.
func requireInputs(network string, width, runs, own int, x *Node) {
	if x == nil {
		panic(fmt.Errorf("net.%s: the inputs are nil; give [B, %d] or [%d, B, %d]", network, width, runs, width))
	}
	dims := x.Shape().Dimensions
	rank := len(dims)
	if rank < 2 || rank > 3+own || dims[rank-1] != width || rank > 2 && dims[0] != runs {
		panic(fmt.Errorf("net.%s takes %d numbers for each sample, but the inputs have the shape %v; "+
			"give [B, %d] or [%d, B, %d], or change the network", network, width, dims, width, runs, width))
	}
}
