package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Differences is for comparison only: it is the jet of f at x by central differences,
//
//	∂_d f(x) ≈ [f(x + h e_d) − f(x − h e_d)] / 2h,
//	Δf(x) ≈ Σ_d [f(x + h e_d) − 2 f(x) + f(x − h e_d)] / h²,
//
// from one evaluation of f on 2D+1 times as many points. Both errors are of order h² plus rounding, which is
// the machine precision over h for the gradient and over h² for the Laplacian; use the rules of this package for
// results. It can take the place of any jet, and be multiplied with exact ones. The step h > 0 is a length, in the
// units of x.
//
// x is [..., B, D]; f maps [..., B', D] to [..., B', w] point by point, for any B', and may have more leading axes in
// its result, which is the shape of the streams.
func Differences(f func(x *Node) *Node, x *Node, h float64) Jet {
	if !(h > 0) {
		panic(fmt.Errorf("jet.Differences: the step is %v; give a positive length", h))
	}
	size, dims := x.Shape().Dim(-2), x.Shape().Dim(-1)
	points := []*Node{x}
	for d := range dims {
		step := graph.MulScalar(unit(x, d), h)
		points = append(points, graph.Add(x, step), graph.Sub(x, step))
	}
	y := f(graph.Concatenate(points, -2))
	if y.Rank() < 2 || y.Shape().Dim(-2) != len(points)*size {
		panic(fmt.Errorf("jet.Differences: f maps %d points to shape %s; the points must stay on the last axis but one",
			len(points)*size, y.Shape()))
	}
	at := func(i int) *Node {
		return graph.Slice(y, graph.AxisRange().Spacer(), graph.AxisRange(i*size, (i+1)*size), graph.AxisRange())
	}
	j := Jet{Value: at(0), Gradient: make([]*Node, dims)}
	sum := graph.MulScalar(j.Value, -2*float64(dims))
	for d := range j.Gradient {
		ahead, behind := at(2*d+1), at(2*d+2)
		j.Gradient[d] = graph.MulScalar(graph.Sub(ahead, behind), 0.5/h)
		sum = graph.Add(sum, graph.Add(ahead, behind))
	}
	j.Laplacian = graph.MulScalar(sum, 1/(h*h))
	return j
}

// NestedReverse is for comparison only: it returns f(x) and its Laplacian by reverse mode applied to the gradient that
// reverse mode gives, D second passes for each of the w functions.
//
// x is [..., B, D]; f maps it to [..., B, w] point by point. When f has more leading axes in its result (M networks on
// the same points), it is given x repeated along them, since only then is the gradient of a sum over networks that of
// each network.
func NestedReverse(f func(x *Node) *Node, x *Node) (value, laplacian *Node) {
	value = f(x)
	if lead := value.Shape().Dimensions[:value.Rank()-2]; len(lead) > x.Rank()-2 {
		x = repeat(x, lead)
		value = f(x)
	}
	if want := value.Shape().Dimensions[:value.Rank()-1]; !slices.Equal(want, x.Shape().Dimensions[:x.Rank()-1]) {
		panic(fmt.Errorf("jet.NestedReverse: f maps %s to %s; all axes but the last must agree",
			x.Shape(), value.Shape()))
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
