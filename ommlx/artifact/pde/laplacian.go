package pde

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/jet"
)

// Differences computes the jet of f at x by central differences, the alternative to package jet:
//
//	∂_d f(x) ≈ [f(x + h e_d) − f(x − h e_d)] / 2h,
//	Δf(x) ≈ Σ_d [f(x + h e_d) − 2 f(x) + f(x − h e_d)] / h²,
//
// It evaluates f once, on 2D+1 times as many points. Both errors are of order h² plus rounding, the machine precision
// over h for the gradient and over h² for the Laplacian. The step h > 0 is in the units of x.
//
// x is [..., B, D]; f maps [..., B', D] to [..., B', w] point by point, for any B'. Its result may have more leading
// axes.
func Differences(f func(x *Node) *Node, x *Node, h float64) jet.Jet {
	size, dims := x.Shape().Dim(-2), x.Shape().Dim(-1)
	points := []*Node{x}
	for _, unit := range jet.Inputs(x).Gradient {
		step := MulScalar(unit, h)
		points = append(points, Add(x, step), Sub(x, step))
	}
	y := f(Concatenate(points, -2))
	at := func(i int) *Node {
		return Slice(y, AxisRange().Spacer(), AxisRange(i*size, (i+1)*size), AxisRange())
	}
	j := jet.Jet{Value: at(0), Gradient: make([]*Node, dims)}
	sum := MulScalar(j.Value, -2*float64(dims))
	for d := range j.Gradient {
		ahead, behind := at(2*d+1), at(2*d+2)
		j.Gradient[d] = MulScalar(Sub(ahead, behind), 0.5/h)
		sum = Add(sum, Add(ahead, behind))
	}
	j.Laplacian = MulScalar(sum, 1/(h*h))
	return j
}

// NestedReverse computes f(x) and its Laplacian by applying reverse mode twice, another alternative to package jet. It
// needs D second passes for each of the w functions.
//
// x is [..., B, D]; f maps it to [..., B, w] point by point.
func NestedReverse(f func(x *Node) *Node, x *Node) (value, laplacian *Node) {
	value = f(x)
	var columns []*Node
	for _, column := range jet.Inputs(value).Gradient {
		grad := Gradient(ReduceAllSum(Mul(value, column)), x)[0]
		sum := ZerosLike(x)
		for _, unit := range jet.Inputs(x).Gradient {
			sum = Add(sum, Mul(Gradient(ReduceAllSum(Mul(grad, unit)), x)[0], unit))
		}
		columns = append(columns, ReduceAndKeep(sum, ReduceSum, -1))
	}
	return value, Concatenate(columns, -1)
}
