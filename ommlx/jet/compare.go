package jet

import "github.com/gomlx/gomlx/core/graph"

// Differences computes the jet of f at x by central differences, for comparison only:
//
//	∂_d f(x) ≈ [f(x + h e_d) − f(x − h e_d)] / 2h,
//	Δf(x) ≈ Σ_d [f(x + h e_d) − 2 f(x) + f(x − h e_d)] / h²,
//
// It evaluates f once, on 2D+1 times as many points. Both errors are of order h² plus rounding, the machine precision
// over h for the gradient and over h² for the Laplacian. The step h > 0 is in the units of x.
//
// x is [..., B, D]; f maps [..., B', D] to [..., B', w] point by point, for any B'. Its result may have more leading
// axes.
func Differences(f func(x *Node) *Node, x *Node, h float64) Jet {
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

// NestedReverse computes f(x) and its Laplacian by applying reverse mode twice, for comparison only. It needs D second
// passes for each of the w functions.
//
// x is [..., B, D]; f maps it to [..., B, w] point by point.
func NestedReverse(f func(x *Node) *Node, x *Node) (value, laplacian *Node) {
	value = f(x)
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
