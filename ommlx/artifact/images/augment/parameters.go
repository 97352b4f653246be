package augment

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// parameters are the numbers drawn for N images. An operation that the recipe does not have is nil.
type parameters struct {
	box    *box
	jitter *jitter
	grey   *Node // [N] bool
	sigma  *Node // [N]: standard deviation of the blur in pixels, 0 for none
	flip   *Node // [N] bool
}

// Positions of an image's uniform numbers. They do not depend on the recipe, so recipes that differ in one operation
// share the numbers of the others.
const (
	atArea       = 0
	atRatio      = atArea + candidates
	atTop        = atRatio + candidates
	atLeft       = atTop + 1
	atJitter     = atLeft + 1 // whether to jitter
	atBrightness = atJitter + 1
	atContrast   = atBrightness + 1
	atSaturation = atContrast + 1
	atHue        = atSaturation + 1
	atOrder      = atHue + 1
	atGrey       = atOrder + jitters
	atBlur       = atGrey + 1 // whether to blur
	atSigma      = atBlur + 1
	atFlip       = atSigma + 1
	numbers      = atFlip + 1
)

// draw returns the parameters of N images of this size from uniform numbers u [N, numbers].
func (r Recipe) draw(u *Node, height, width int) parameters {
	var p parameters
	if r.Crop != (Crop{}) {
		p.box = r.Crop.draw(u, height, width)
	}
	if r.Jitter.Probability > 0 {
		p.jitter = r.Jitter.draw(u)
	}
	if r.Grey > 0 {
		p.grey = chance(u, atGrey, r.Grey)
	}
	if r.Blur.Probability > 0 {
		sigma := r.Blur.Sigma.at(number(u, atSigma))
		p.sigma = Where(chance(u, atBlur, r.Blur.Probability), sigma, ZerosLike(sigma))
	}
	if r.Flip > 0 {
		p.flip = chance(u, atFlip, r.Flip)
	}
	return p
}

// number returns the number at a position for each image, [N, …] → [N].
func number(u *Node, at int) *Node {
	return Reshape(Slice(u, AxisRange(), AxisElem(at)), u.Shape().Dim(0))
}

// chance returns events with the given probability, [N] bool.
func chance(u *Node, at int, probability float64) *Node {
	x := number(u, at)
	return LessThan(x, Scalar(x.Graph(), x.DType(), probability))
}

// at maps uniform numbers in [0, 1) to the range.
func (r Range) at(u *Node) *Node { return AddScalar(MulScalar(u, r.High-r.Low), r.Low) }

// apply returns the views of N images [N, H, W, C] with these parameters.
func (r Recipe) apply(images *Node, p parameters) *Node {
	// In the order [N, H, C, W] products over rows and over columns are plain batched products, and elementwise
	// operations on one colour run along a row.
	x := Transpose(images, 2, 3)
	if p.box != nil {
		x = p.box.resize(x)
	}
	if p.jitter != nil {
		x = p.jitter.apply(x)
	}
	if p.grey != nil {
		x = Where(p.grey, BroadcastToShape(luminance(x), x.Shape()), x)
	}
	if p.sigma != nil {
		x = blur(x, p.sigma)
	}
	if p.flip != nil {
		x = Where(p.flip, Reverse(x, 3), x)
	}
	return r.normalise(Transpose(x, 2, 3))
}

// products multiplies the rows and columns of images x [N, H, C, W] by one matrix per image, columns [N, W, W] first,
// then rows [N, H, H]; between is applied after each product.
func products(x, rows, columns *Node, between func(*Node) *Node) *Node {
	x = between(DotGeneral(x, []int{3}, []int{0}, columns, []int{2}, []int{0}))
	return between(DotGeneral(rows, []int{2}, []int{0}, x, []int{1}, []int{0}))
}

// perImage reshapes one number per image, [N], to [N, 1, 1, 1].
func perImage(x *Node) *Node { return InsertAxes(x, -1, -1, -1) }
