package images

import (
	"math"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// candidates is the number of boxes that torchvision draws before it takes the whole image.
const candidates = 10

// apply scales a random box of each image x [N, H, C, W] to the size of the image, for uniform numbers u [N, numbers].
//
// PIL resamples rows, then columns, and stores 8-bit numbers after each, which clips values that the kernel's negative
// lobes move outside [0, 1]. No box is larger than the image, so PIL's antialiasing has no effect.
func (c Crop) apply(x, u *Node) *Node {
	height, width := x.Shape().Dim(1), x.Shape().Dim(3)
	numbersFrom := func(at int) *Node { return Slice(u, AxisRange(), AxisRange(at, at+candidates)) }
	area := MulScalar(c.Scale.at(numbersFrom(atArea)), float64(height*width))
	ratio := Exp(Range{math.Log(c.Ratio.Low), math.Log(c.Ratio.High)}.at(numbersFrom(atRatio)))
	w, h := Round(Sqrt(Mul(area, ratio))), Round(Sqrt(Div(area, ratio))) // [N, candidates]
	fits := LogicalAnd(within(w, width), within(h, height))

	top, left := number(u, atTop), number(u, atLeft)
	// The size of the box; from the last candidate to the first, so that the first that fits wins.
	rows, columns := AddScalar(ZerosLike(top), height), AddScalar(ZerosLike(left), width)
	for i := candidates - 1; i >= 0; i-- {
		rows = Where(number(fits, i), number(h, i), rows)
		columns = Where(number(fits, i), number(w, i), columns)
	}
	cut := func(x *Node) *Node { return ClipScalar(x, 0, 1) }
	return products(x, bicubic(place(top, rows, height), rows, height),
		bicubic(place(left, columns, width), columns, width), cut)
}

func within(length *Node, size int) *Node {
	return LogicalAnd(GreaterThan(length, ConstAs(length, 0)), LessOrEqual(length, ConstAs(length, size)))
}

// place draws one of the positions 0, 1, …, size − length for intervals of these lengths from uniform numbers u. Even
// the largest number below 1 does not round up to size − length + 1, in float32 or float64.
func place(u, length *Node, size int) *Node { return Floor(Mul(u, AddScalar(Neg(length), size+1))) }

// bicubic returns matrices [N, size, size] that resample intervals of pixels, start and length [N], to size pixels with
// the kernel k of cubic. Output i is centred at c_i,
//
//	c_i = start + (i + ½) length/size,   A_ij ∝ k(j + ½ − c_i) for pixels j of the interval, Σ_j A_ij = 1,
//
// as in PIL (src/libImaging/Resample.c).
func bicubic(start, length *Node, size int) *Node {
	shape := shapes.Make(start.DType(), start.Shape().Dim(0), size, size)
	perMatrix := func(x *Node) *Node { return InsertAxes(x, -1, -1) }
	out, in := Iota(start.Graph(), shape, 1), Iota(start.Graph(), shape, 2)
	first := perMatrix(start)
	centre := Add(first, Mul(AddScalar(out, 0.5), DivScalar(perMatrix(length), float64(size))))
	weights := cubic(Sub(AddScalar(in, 0.5), centre))
	inside := LogicalAnd(GreaterOrEqual(in, first), LessThan(in, Add(first, perMatrix(length))))
	weights = Where(inside, weights, ZerosLike(weights))
	return Div(weights, ReduceAndKeep(weights, ReduceSum, 2))
}

// cubic is the kernel of Keys (1981) with a = −½, as in PIL, and in torchvision for tensors with antialiasing:
//
//	k(d) = 1 − 5/2 |d|² + 3/2 |d|³  for |d| < 1,   2 − 4 |d| + 5/2 |d|² − 1/2 |d|³  for |d| < 2,   0 beyond.
func cubic(d *Node) *Node {
	d = Abs(d)
	polynomial := func(c0, c1, c2, c3 float64) *Node {
		return AddScalar(Mul(d, AddScalar(Mul(d, AddScalar(MulScalar(d, c3), c2)), c1)), c0)
	}
	far := Where(LessThan(d, ConstAs(d, 2)), polynomial(2, -4, 2.5, -0.5), ZerosLike(d))
	return Where(LessThan(d, ConstAs(d, 1)), polynomial(1, 0, -2.5, 1.5), far)
}
