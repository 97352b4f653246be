package images

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// blur smooths images x [N, H, C, W] with standard deviations sigma [N] in pixels, as PIL's GaussianBlur, which
// solo-learn calls with the standard deviation as the radius: three box filters along rows and three along columns.
// Sigma 0 changes nothing.
func blur(x, sigma *Node) *Node {
	radius := boxRadius(sigma)
	thrice := func(size int) *Node {
		box := boxFilter(radius, size)
		return product(box, product(box, box))
	}
	same := func(x *Node) *Node { return x }
	return products(x, thrice(x.Shape().Dim(1)), thrice(x.Shape().Dim(3)), same)
}

func product(a, b *Node) *Node { return DotGeneral(a, []int{2}, []int{0}, b, []int{1}, []int{0}) }

// boxRadius returns the radius r = l + a of the box that, applied three times, has the variance σ²; l is whole and a in
// [0, 1) is the weight of the two pixels beyond (PIL, src/libImaging/BoxBlur.c, after Gwosdek et al. 2011, eq. 11 and
// 14),
//
//	l = ⌊(√(4σ² + 1) − 1)/2⌋,   a = (2l + 1)(l(l + 1) − σ²) / (2σ² − 6(l + 1)²).
func boxRadius(sigma *Node) *Node {
	variance := Square(sigma)
	l := Floor(MulScalar(AddScalar(Sqrt(AddScalar(MulScalar(variance, 4), 1)), -1), 0.5))
	next := AddScalar(l, 1)
	above := Mul(AddScalar(MulScalar(l, 2), 1), Sub(Mul(l, next), variance))
	below := Sub(MulScalar(variance, 2), MulScalar(Square(next), 6))
	return Add(l, Div(above, below))
}

// boxFilter returns matrices [N, size, size] of the box filter with radii r [N]. The border pixels are repeated
// outwards:
//
//	W_ij = min(t, 1)/(2r + 1),   t = max(0, r + 1 − |i − j|),   and t/(2r + 1) for a pixel j of the border,
//
// where t is the sum of the weights of all pixels at distance |i − j| and beyond.
func boxFilter(radius *Node, size int) *Node {
	shape := shapes.Make(radius.DType(), radius.Shape().Dim(0), size, size)
	out, in := Iota(radius.Graph(), shape, 1), Iota(radius.Graph(), shape, 2)
	r := InsertAxes(radius, -1, -1)
	tail := MaxScalar(Sub(AddScalar(r, 1), Abs(Sub(out, in))), 0)
	border := LogicalOr(Equal(in, ConstAs(in, 0)), Equal(in, ConstAs(in, size-1)))
	weights := Where(border, tail, MinScalar(tail, 1))
	return Div(weights, AddScalar(MulScalar(r, 2), 1))
}
