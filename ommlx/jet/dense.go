package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Dense is a fully connected layer, weights·u + bias, without an activation. The product acts on every stream,
// the bias on the value alone.
//
// weights [..., out, in] may have leading axes, each entry of which is a network of its own, and so may j
// [..., B, in]. Leading axes are matched from the front, and one side may have more of them than the other:
//
//	j [B, in]        weights [out, in]          → [B, out]
//	j [M, B, in]     weights [M, out, in]       → [M, B, out]     M networks, each with inputs of its own
//	j [B, in]        weights [M, out, in]       → [M, B, out]     M networks on the same inputs: one product
//	j [R, B, in]     weights [R, M, out, in]    → [R, M, B, out]  the same in R independent runs
//
// bias is [..., out] with the leading axes of weights, or nil.
func Dense(j Jet, weights, bias *Node) Jet {
	product := newProduct(j.Value, weights)
	out := Jet{Value: product.of(j.Value), Gradient: make([]*Node, j.Dims()), affine: j.affine}
	if bias != nil {
		out.Value = graph.Add(out.Value, product.bias(bias, out.Value))
	}
	if j.affine {
		// The gradient is the same at all points: one of them is enough.
		for d, g := range j.Gradient {
			first := graph.Slice(g, graph.AxisRange().Spacer(), graph.AxisElem(0), graph.AxisRange())
			out.Gradient[d] = graph.BroadcastToShape(product.of(first), out.Value.Shape())
		}
		out.Laplacian = graph.ZerosLike(out.Value)
		return out
	}
	for d, g := range j.Gradient {
		out.Gradient[d] = product.of(g)
	}
	out.Laplacian = product.of(j.Laplacian)
	return out
}

// product is the multiplication of streams [..., B, in] by weights [..., out, in].
type product struct {
	weights *Node
	shared  int // leading axes that both sides have
	extra   int // leading axes that the weights alone have
}

func newProduct(x, weights *Node) product {
	lead, own := x.Rank()-2, weights.Rank()-2
	shared := min(lead, own)
	if shared < 0 || x.Shape().Dim(-1) != weights.Shape().Dim(-1) ||
		!slices.Equal(x.Shape().Dimensions[:shared], weights.Shape().Dimensions[:shared]) {
		panic(fmt.Errorf("jet.Dense: weights of shape %s, which must be [..., out, in], do not fit inputs of shape %s, "+
			"which must be [..., B, in] with the same leading axes", weights.Shape(), x.Shape()))
	}
	return product{weights: weights, shared: shared, extra: own - shared}
}

// of returns weights·x, [..., B, out].
func (p product) of(x *Node) *Node {
	batch := make([]int, p.shared)
	for i := range batch {
		batch[i] = i
	}
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, batch, p.weights, []int{p.weights.Rank() - 1}, batch)
	if p.extra == 0 {
		return y
	}
	// [shared…, B, extra…, out]: the points go behind the networks.
	order := make([]int, y.Rank())
	for i := range order {
		order[i] = i
	}
	points := order[p.shared]
	copy(order[p.shared:], order[p.shared+1:p.shared+1+p.extra])
	order[p.shared+p.extra] = points
	return graph.TransposeAllAxes(y, order...)
}

// bias shapes b [..., out] such that it is added to every point of y [..., B, out].
func (p product) bias(b, y *Node) *Node {
	if b.Rank() != p.weights.Rank()-1 {
		panic(fmt.Errorf("jet.Dense: a bias of shape %s does not fit weights of shape %s; it must be [..., out]",
			b.Shape(), p.weights.Shape()))
	}
	dims := slices.Clone(y.Shape().Dimensions)
	for i := p.shared + p.extra; i < len(dims)-1; i++ {
		dims[i] = 1
	}
	return graph.BroadcastToShape(graph.Reshape(b, dims...), y.Shape())
}
