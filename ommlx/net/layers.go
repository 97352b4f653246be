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

// newLayers checks that params and state are those of a network with these weights, and for how many runs they are. It
// panics with one sentence if they are not.
func newLayers(network string, weights, statistics []weight, params, state []*Node, training bool) (l *layers,
	runs int) {
	requireParams(network, params, shapesOf(weights))
	runs = params[0].Shape().Dim(0)
	requireState(network, state, shapesOf(statistics), runs)
	return &layers{params: params, statistics: state, training: training}, runs
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

// dense is a linear layer, see [affine].
func (l *layers) dense(x *Node) *Node {
	w, b := l.param(), l.param()
	return affine(x, w, b)
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
