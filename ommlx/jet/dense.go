package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Dense is a fully connected layer, weights·u + bias, without an activation. The product acts on every stream, the bias
// on the value alone.
//
// weights [..., out, in] may have leading axes, each entry of which is a network of its own, and so may j [..., B, in].
// Leading axes are matched from the front, and one side may have more of them than the other:
//
//	j [B, in]        weights [out, in]          → [B, out]
//	j [M, B, in]     weights [M, out, in]       → [M, B, out]     M networks, each with inputs of its own
//	j [B, in]        weights [M, out, in]       → [M, B, out]     M networks on the same inputs: one product
//	j [R, B, in]     weights [R, M, out, in]    → [R, M, B, out]  the same in R independent runs
//
// bias is [..., out] with the leading axes of weights, or nil.
func Dense(j Jet, weights, bias *Node) Jet {
	x, functions := j, -1
	if e, ok := j.exchanged(); ok {
		x, functions = e, -2
	}
	layer := newLayer(x.Value, functions, weights)
	out := Jet{Value: layer.of(x.Value), Gradient: make([]*Node, x.Dims())}
	if bias != nil {
		out.Value = graph.Add(out.Value, layer.bias(bias, out.Value))
	}
	if x.affine() {
		// The gradient is the same at all points: one of them is enough.
		for d, g := range x.Gradient {
			first := graph.SliceAxis(g, -3-functions, graph.AxisElem(0))
			out.Gradient[d] = graph.BroadcastToShape(layer.of(first), out.Value.Shape())
		}
		out.Laplacian = graph.ZerosLike(out.Value)
		return fromExchanged(out.mark(true))
	}
	for d, g := range x.Gradient {
		out.Gradient[d] = layer.of(g)
	}
	out.Laplacian = layer.of(x.Laplacian)
	return fromExchanged(out)
}

// layer is the multiplication of streams by weights [..., out, in]. The streams stay apart: stacked into one product
// they would have to be copied together and taken apart again, and the gradient of the last layer, which no Laplacian
// needs, could not be left out.
type layer struct {
	weights   *Node
	functions int // axis of the streams that counts functions: −1 for [..., B, in], −2 for [..., in, B]
	shared    int // leading axes that both sides have
	own       int // leading axes that the streams alone have
}

func newLayer(x *Node, functions int, weights *Node) layer {
	lead, extra := x.Rank()-2, weights.Rank()-2
	shared := min(lead, extra)
	if shared < 0 || x.Shape().Dim(functions) != weights.Shape().Dim(-1) ||
		!slices.Equal(x.Shape().Dimensions[:shared], weights.Shape().Dimensions[:shared]) {
		dims := slices.Clone(x.Shape().Dimensions)
		if functions == -2 {
			dims[lead], dims[lead+1] = dims[lead+1], dims[lead]
		}
		panic(fmt.Errorf("jet.Dense: weights of shape %v, which must be [..., out, in], "+
			"do not fit inputs of shape %v, which must be [..., B, in] with the same leading axes",
			weights.Shape().Dimensions, dims))
	}
	return layer{weights: weights, functions: functions, shared: shared, own: lead - shared}
}

// of returns weights·x as [..., out, B].
func (l layer) of(x *Node) *Node {
	batch := make([]int, l.shared)
	for i := range batch {
		batch[i] = i
	}
	y := graph.DotGeneral(l.weights, []int{l.weights.Rank() - 1}, batch, x, []int{x.Rank() + l.functions}, batch)
	if l.own == 0 {
		return y
	}
	// [shared…, out, own…, B]: the functions go behind the leading axes.
	order := make([]int, y.Rank())
	for i := range order {
		order[i] = i
	}
	copy(order[l.shared:], order[l.shared+1:l.shared+1+l.own])
	order[l.shared+l.own] = l.shared
	return graph.TransposeAllAxes(y, order...)
}

// bias shapes b [..., out] such that it is added to every point of y [..., out, B].
func (l layer) bias(b, y *Node) *Node {
	lead := l.weights.Shape().Dimensions[:l.weights.Rank()-1]
	if !slices.Equal(b.Shape().Dimensions, lead) {
		panic(fmt.Errorf("jet.Dense: a bias of shape %v does not fit weights of shape %v; it must be %v",
			b.Shape().Dimensions, l.weights.Shape().Dimensions, lead))
	}
	dims := slices.Clone(y.Shape().Dimensions)
	for i := l.shared; i < l.shared+l.own; i++ {
		dims[i] = 1
	}
	dims[len(dims)-1] = 1
	return graph.BroadcastToShape(graph.Reshape(b, dims...), y.Shape())
}
