package net

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// withGradient returns y, a function of the inputs, with a gradient of its own: of the gradient v with respect to y,
// back returns those with respect to the inputs, in their shapes. What y was computed by is not differentiated.
//
// GoMLX has custom gradients for functions of one input that return it. So inputs and y go side by side through one of
// those, of which only the part of y is used; XLA leaves nothing of the copies.
func withGradient(inputs []*Node, y *Node, back func(v *Node) []*Node) *Node {
	parts := append(append([]*Node{}, inputs...), StopGradient(y))
	flat := make([]*Node, len(parts))
	for i, x := range parts {
		flat[i] = Reshape(x, -1)
	}
	from := 0
	for _, x := range inputs {
		from += x.Shape().Size()
	}
	shape := y.Shape()
	tail := func(x *Node) *Node { return Reshape(Slice(x, AxisRange(from)), shape.Dimensions...) }
	all := IdentityWithCustomGradient(Concatenate(flat, 0), func(_, v *Node) *Node {
		grads := make([]*Node, 0, len(parts))
		for _, g := range append(back(tail(v)), ZerosLike(y)) {
			grads = append(grads, Reshape(g, -1))
		}
		return Concatenate(grads, 0)
	})
	return tail(all)
}
