package net

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// layers hands the parameters and running statistics of a network to its layers, in the order in which they are listed,
// and collects the statistics after the pass.
type layers struct {
	params, statistics []*Node // not used yet
	next               []*Node // the new statistics, in training
	training           bool
}

func (l *layers) param() *Node {
	p := l.params[0]
	l.params = l.params[1:]
	return p
}

// conv is a convolution without bias, see [convolve].
func (l *layers) conv(x *Node, stride, padding int) *Node {
	return convolve(x, l.param(), stride, padding)
}

// dense is x Wᵀ + b on x [R, B, in]; see [MLP.Apply] for why the matrix is [R, out, in].
func (l *layers) dense(x *Node) *Node {
	w, b := l.param(), l.param()
	y := DotGeneral(x, []int{2}, []int{0}, w, []int{2}, []int{0})
	return Add(y, BroadcastToShape(InsertAxes(b, 1), y.Shape()))
}

// norm is a batch normalisation, see [normalise].
func (l *layers) norm(x *Node) *Node {
	gamma, beta := l.param(), l.param()
	mean, variance := l.statistics[0], l.statistics[1]
	l.statistics = l.statistics[2:]
	if !l.training {
		return scaled(x, gamma, beta, mean, variance)
	}
	y, mean, variance := normalise(x, gamma, beta, mean, variance)
	l.next = append(l.next, mean, variance)
	return y
}
