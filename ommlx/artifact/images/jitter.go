package images

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// The operations of a colour jitter, in torchvision's numbering.
const (
	brightness = iota
	contrast
	saturation
	hue
	jitters
)

// apply changes the colours of images x [N, H, 3, W], for uniform numbers u [N, numbers].
//
// Brightness, contrast and saturation all mix with another image y, x ↦ f x + (1 − f) y, clipped to [0, 1]: y is black,
// the mean luminance, or each pixel's luminance (torchvision's adjust_brightness, adjust_contrast, adjust_saturation).
// So each position in the order takes one mixture and one turn of the hue. Factors of 1 and a turn of 0 change nothing.
func (j Jitter) apply(x, u *Node) *Node {
	on := chance(u, atJitter, j.Probability)
	var factors [hue]*Node // of brightness, contrast and saturation, [N] each
	for i, strength := range []float64{j.Brightness, j.Contrast, j.Saturation} {
		factor := Range{max(0, 1-strength), 1 + strength}.at(number(u, atBrightness+i))
		factors[i] = Where(on, factor, OnesLike(factor))
	}
	turn := Range{-j.Hue, j.Hue}.at(number(u, atHue))
	turn = Where(on, turn, ZerosLike(turn))
	places := order(u)
	for place := range jitters {
		now := func(operation int) *Node { return Equal(number(places, operation), ConstAs(u, place)) }
		grey := luminance(x)
		mean := BroadcastToShape(ReduceAndKeep(grey, ReduceMean, 1, 3), grey.Shape())
		other := Where(now(contrast), mean, Where(now(saturation), grey, ZerosLike(grey)))
		factor := OnesLike(turn)
		for operation, f := range factors {
			factor = Where(now(operation), f, factor)
		}
		factor = perImage(factor)
		x = ClipScalar(Add(Mul(factor, x), Mul(OneMinus(factor), other)), 0, 1)
		turned := LogicalAnd(now(hue), NotEqual(turn, ZerosLike(turn)))
		x = Where(turned, turnHue(x, turn), x)
	}
	return x
}

// order returns the position of each operation in the order, [N, jitters], 0 to 3. Ranks of four independent numbers
// are a uniformly distributed order and need no sorting, which the body of a device loop does not support. Ties are
// ranked by index.
func order(u *Node) *Node {
	drawn := Slice(u, AxisRange(), AxisRange(atOrder, atOrder+jitters))
	shape := shapes.Make(u.DType(), u.Shape().Dim(0), jitters, jitters)
	own, other := BroadcastToShape(InsertAxes(drawn, 2), shape), BroadcastToShape(InsertAxes(drawn, 1), shape)
	lower := GreaterThan(Iota(u.Graph(), shape, 1), Iota(u.Graph(), shape, 2)) // the other has the lower index
	ahead := LogicalOr(LessThan(other, own), LogicalAnd(Equal(other, own), lower))
	return ReduceSum(ConvertDType(ahead, u.DType()), 2)
}

// luminance returns PIL's grey level of ITU-R 601-2, 0.299 R + 0.587 G + 0.114 B: [N, H, 3, W] → [N, H, 1, W].
func luminance(x *Node) *Node {
	r, g, b := channels(x)
	return Add(Add(MulScalar(r, 0.299), MulScalar(g, 0.587)), MulScalar(b, 0.114))
}

func channels(x *Node) (r, g, b *Node) {
	channel := func(c int) *Node { return Slice(x, AxisRange(), AxisRange(), AxisElem(c)) }
	return channel(0), channel(1), channel(2)
}

// turnHue adds a turn [N] to the hue of images x [N, H, 3, W] in HSV.
//
// With V the largest and m the smallest channel and h the hue in sixths of a full turn, the new colours are
//
//	V − (V − m) clip(min(k, 4 − k), 0, 1),   k = (n + h) mod 6,   n = 5, 3, 1 for red, green, blue.
func turnHue(x, turn *Node) *Node {
	r, g, b := channels(x)
	value := Max(r, Max(g, b))
	chroma := Sub(value, Min(r, Min(g, b)))
	divisor := Where(Equal(chroma, ZerosLike(chroma)), OnesLike(chroma), chroma) // grey: any hue works
	sector := func(from int, p, q *Node) *Node { return AddScalar(Div(Sub(p, q), divisor), from) }
	h := Where(Equal(value, r), sector(0, g, b), Where(Equal(value, g), sector(2, b, r), sector(4, r, g)))
	h = Add(h, MulScalar(perImage(turn), 6))
	channel := func(n int) *Node {
		k := AddScalar(h, n)
		k = Sub(k, MulScalar(Floor(DivScalar(k, 6)), 6))
		return Sub(value, Mul(chroma, ClipScalar(Min(k, AddScalar(Neg(k), 4)), 0, 1)))
	}
	return Concatenate([]*Node{channel(5), channel(3), channel(1)}, 2)
}
