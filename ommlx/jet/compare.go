package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// FiniteDifference is for comparison only: it returns f(x) and its Laplacian by central differences,
//
//	Δf(x) ≈ Σ_d [f(x + h e_d) − 2 f(x) + f(x − h e_d)] / h²,
//
// from one evaluation of f on 2D+1 times as many points. The error is of order h² plus that of rounding, which is
// the machine precision over h²; use [Jet] for results.
//
// x is [..., B, D]; f maps [..., B', D] to [..., B', w] point by point, for any B', and may have more leading axes in its
// result.
func FiniteDifference(f func(x *Node) *Node, x *Node, h float64) (value, laplacian *Node) {
	size, dims := x.Shape().Dim(-2), x.Shape().Dim(-1)
	points := []*Node{x}
	for d := range dims {
		step := graph.MulScalar(unit(x, d), h)
		points = append(points, graph.Add(x, step), graph.Sub(x, step))
	}
	y := f(graph.Concatenate(points, -2))
	at := func(i int) *Node {
		return graph.Slice(y, graph.AxisRange().Spacer(), graph.AxisRange(i*size, (i+1)*size), graph.AxisRange())
	}
	value = at(0)
	sum := graph.MulScalar(value, -2*float64(dims))
	for i := range 2 * dims {
		sum = graph.Add(sum, at(i+1))
	}
	return value, graph.MulScalar(sum, 1/(h*h))
}

// NestedReverse is for comparison only: it returns f(x) and its Laplacian by reverse mode applied to the gradient
// that reverse mode gives, D second passes for each of the w functions.
//
// x is [..., B, D]; f maps it to [..., B, w] point by point. When f has more leading axes in its result (M networks on
// the same points), it is given x repeated along them, since only then is the gradient of a sum over networks
// that of each network.
func NestedReverse(f func(x *Node) *Node, x *Node) (value, laplacian *Node) {
	value = f(x)
	if lead := value.Shape().Dimensions[:value.Rank()-2]; len(lead) > x.Rank()-2 {
		x = repeat(x, lead)
		value = f(x)
	}
	if want := value.Shape().Dimensions[:value.Rank()-1]; !slices.Equal(want, x.Shape().Dimensions[:x.Rank()-1]) {
		panic(fmt.Errorf("jet.NestedReverse: f maps %s to %s; all axes but the last must agree", x.Shape(), value.Shape()))
	}
	var columns []*Node
	for i := range value.Shape().Dim(-1) {
		grad := graph.Gradient(graph.ReduceAllSum(graph.Mul(value, unit(value, i))), x)[0]
		var sum *Node
		for d := range x.Shape().Dim(-1) {
			e := unit(x, d)
			second := graph.Gradient(graph.ReduceAllSum(graph.Mul(grad, e)), x)[0]
			sum = plus(sum, graph.Mul(second, e))
		}
		columns = append(columns, graph.ReduceAndKeep(sum, graph.ReduceSum, -1))
	}
	return value, graph.Concatenate(columns, -1)
}

// repeat copies x [..., B, D] along leading axes that it lacks: its own come first, as in [Dense].
func repeat(x *Node, lead []int) *Node {
	own := x.Rank() - 2
	dims := slices.Concat(lead, x.Shape().Dimensions[own:])
	ones := slices.Clone(dims)
	copy(ones, x.Shape().Dimensions[:own])
	for i := own; i < len(lead); i++ {
		ones[i] = 1
	}
	return graph.BroadcastToDims(graph.Reshape(x, ones...), dims...)
}
