package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/internal/tensorx"
)

// Dense is a fully connected layer without activation, weights·u + bias. The product acts on every stream, the bias
// only on the value.
//
// weights [..., out, in] may have leading axes for separate networks. j [..., B, in] has the same leading axes, or only
// the first few of them:
//
//	j [B, in]        weights [out, in]          → [B, out]
//	j [M, B, in]     weights [M, out, in]       → [M, B, out]     M networks with separate inputs
//	j [B, in]        weights [M, out, in]       → [M, B, out]     M networks on the same inputs: one product
//	j [R, B, in]     weights [R, M, out, in]    → [R, M, B, out]  the same in R independent runs
//
// bias is [..., out] with the leading axes of weights, or nil.
func Dense(j Jet, weights, bias *Node) Jet {
	x, functions := j, -1
	if e, ok := j.exchanged(); ok {
		x, functions = e, -2
	}
	times := multiplication(x.Value, functions, weights)
	out := Jet{Value: times(x.Value), Gradient: make([]*Node, x.Dims())}
	if bias != nil {
		if lead := weights.Shape().Dimensions[:weights.Rank()-1]; !slices.Equal(bias.Shape().Dimensions, lead) {
			panic(fmt.Errorf("jet.Dense: bias is %v, want %v", bias.Shape().Dimensions, lead))
		}
		out.Value = graph.Add(out.Value, graph.BroadcastToShape(graph.InsertAxes(bias, -1), out.Value.Shape()))
	}
	if x.affine() {
		// The gradient is the same at all points: compute it at one.
		for d, g := range x.Gradient {
			first := graph.SliceAxis(g, -3-functions, graph.AxisElem(0))
			out.Gradient[d] = graph.BroadcastToShape(times(first), out.Value.Shape())
		}
		out.Laplacian = graph.ZerosLike(out.Value)
		return fromExchanged(out.mark(true))
	}
	for d, g := range x.Gradient {
		out.Gradient[d] = times(g)
	}
	out.Laplacian = times(x.Laplacian)
	return fromExchanged(out)
}

// multiplication returns a function that multiplies streams by weights [..., out, in], to [..., out, B]; functions is
// the axis of functions in the streams: −1 for [..., B, in], −2 for [..., in, B]. The streams are multiplied
// separately: one stacked product would need copies, and would include the unused gradient of the last layer. In
// GoMLX's own gradient for the streams, functions follow points, and XLA needs a tenth of a step to transpose it.
func multiplication(value *Node, functions int, weights *Node) func(x *Node) *Node {
	shared := value.Rank() - 2
	if shared < 0 || shared > weights.Rank()-2 || value.Shape().Dim(functions) != weights.Shape().Dim(-1) ||
		!slices.Equal(value.Shape().Dimensions[:shared], weights.Shape().Dimensions[:shared]) {
		dims := slices.Clone(value.Shape().Dimensions)
		if functions == -2 {
			dims[shared], dims[shared+1] = dims[shared+1], dims[shared]
		}
		panic(fmt.Errorf("jet.Dense: weights are %v and inputs %v, want [..., out, in] and [..., B, in] with the same "+
			"leading axes", weights.Shape().Dimensions, dims))
	}
	batch, outputs := xslices.Iota(0, shared), xslices.Iota(shared, weights.Rank()-1-shared) // outputs of all networks
	return func(x *Node) *Node {
		last := weights.Rank() - 1
		y := graph.DotGeneral(weights, []int{last}, batch, x, []int{x.Rank() + functions}, batch)
		if !tensorx.OnXLA(x.Graph().Backend()) {
			return y // the pure Go backend would compute gradients that nobody uses
		}
		return tensorx.WithGradient([]*Node{weights, x}, y, func(v *Node) []*Node {
			dw := graph.DotGeneral(v, []int{last}, batch, x, []int{x.Rank() - 3 - functions}, batch)
			if functions == -1 {
				return []*Node{dw, graph.DotGeneral(v, outputs, batch, weights, outputs, batch)}
			}
			return []*Node{dw, graph.DotGeneral(weights, outputs, batch, v, outputs, batch)}
		})
	}
}
