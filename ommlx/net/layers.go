package net

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// layers hands the parameters and running statistics of a network to its layers, in the order in which they are listed,
// and collects the statistics after the pass.
type layers struct {
	params, statistics []*Node // not used yet
	next               []*Node // the new statistics, in training
	views              int     // in training, how many there are, one after the other; 0 otherwise
	bfloat16           bool    // whether products are of bfloat16
}

// newLayers checks that params and state are those of a network with these weights, and for how many runs they are. It
// panics with one sentence if they are not.
func newLayers(network string, weights, statistics []weight, params, state []*Node, bfloat16 bool) (l *layers,
	runs int) {
	requireParams(network, params, shapesOf(weights))
	runs = params[0].Shape().Dim(0)
	requireState(network, state, shapesOf(statistics), runs)
	return &layers{params: params, statistics: state, bfloat16: bfloat16}, runs
}

// train passes views [R, B, …] through a network together, one after the other on the axis of samples, and returns what
// comes out for each, and the next statistics. So the program is half as long for two views, which matters for the time
// of its compilation, and its products are larger.
func (l *layers) train(views []*Node, pass func(x *Node) *Node) (each, next []*Node) {
	l.views = len(views)
	all := views[0]
	if l.views > 1 {
		all = Concatenate(views, 1)
	}
	return Split(pass(all), 1, l.views), l.next
}

func (l *layers) param() *Node {
	p := l.params[0]
	l.params = l.params[1:]
	return p
}

// conv is a convolution without bias, see [convolve].
func (l *layers) conv(x *Node, stride, padding int) *Node {
	return l.product(x, l.param(), func(x, w *Node) *Node { return convolve(x, w, stride, padding) })
}

// dense is a linear layer, see [affine].
func (l *layers) dense(x *Node) *Node {
	w, b := l.param(), l.param()
	return l.product(x, w, func(x, w *Node) *Node { return affine(x, w, ConvertDType(b, w.DType())) })
}

// linear is a linear layer without bias.
func (l *layers) linear(x *Node) *Node { return l.product(x, l.param(), matrix) }

// product takes a product in bfloat16 if that was asked for, and returns it in the type of x.
func (l *layers) product(x, w *Node, of func(x, w *Node) *Node) *Node {
	if !l.bfloat16 {
		return of(x, w)
	}
	return ConvertDType(of(ConvertDType(x, dtypes.BFloat16), ConvertDType(w, dtypes.BFloat16)), x.DType())
}

// norm is a batch normalisation, see [normalise].
func (l *layers) norm(x *Node) *Node {
	gamma, beta := l.param(), l.param()
	mean, variance := l.statistics[0], l.statistics[1]
	l.statistics = l.statistics[2:]
	if l.views == 0 {
		return scaled(x, gamma, beta, mean, variance)
	}
	y, mean, variance := normalise(l.views, x, gamma, beta, mean, variance)
	l.next = append(l.next, mean, variance)
	return y
}
