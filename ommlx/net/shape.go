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

// requireState panics with one sentence unless state has these shapes behind an axis of runs.
func requireState(network string, state []*Node, shapes [][]int, runs int) {
	if len(state) != len(shapes) {
		panic(fmt.Errorf("net.%s takes %d running statistics with these fields, got %d; give what its InitState "+
			"returns", network, len(shapes), len(state)))
	}
	for i, s := range state {
		if want := append([]int{runs}, shapes[i]...); s == nil || !slices.Equal(s.Shape().Dimensions, want) {
			panic(fmt.Errorf("net.%s: running statistic %d must have the shape %v; give what InitState of this "+
				"network returns for as many runs", network, i, want))
		}
	}
}

// requireImages panics with one sentence unless x is [B, H, W, channels] or [runs, B, H, W, channels], and returns the
// latter.
func requireImages(network string, channels, runs int, x *Node) *Node {
	if x != nil && x.Rank() == 4 {
		x = BroadcastPrefix(x, runs)
	}
	if x == nil || x.Rank() != 5 || x.Shape().Dim(0) != runs || x.Shape().Dim(4) != channels {
		shape := "no shape"
		if x != nil {
			shape = fmt.Sprintf("the shape %v", x.Shape().Dimensions)
		}
		panic(fmt.Errorf("net.%s takes images [B, H, W, %d] or [%d, B, H, W, %d], but the inputs have %s; give such "+
			"images, or change the network", network, channels, runs, channels, shape))
	}
	return x
}

// sameViews checks every view, and panics with one sentence unless there is one and all have the same shape.
func sameViews(network string, views []*Node, check func(x *Node) *Node) []*Node {
	if len(views) == 0 {
		panic(fmt.Errorf("net.%s: there is no view to train with; give at least one", network))
	}
	checked := make([]*Node, len(views))
	for i, x := range views {
		checked[i] = check(x)
		if !checked[i].Shape().Equal(checked[0].Shape()) {
			panic(fmt.Errorf("net.%s: view %d has the shape %v and the first one %v; give views of the same batch",
				network, i+1, x.Shape().Dimensions, views[0].Shape().Dimensions))
		}
	}
	return checked
}

// rowsOf returns the check of samples of so many numbers, which gives each of the runs its own.
func rowsOf(network string, width int) func(x *Node, runs int) *Node {
	return func(x *Node, runs int) *Node {
		requireInputs(network, width, runs, 0, x)
		if x.Rank() == 2 {
			x = BroadcastPrefix(x, runs)
		}
		return x
	}
}
