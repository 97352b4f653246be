package images

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/train"
)

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

// Views draws two independent views of each image of images [R, B, H, W, C], for the R runs of random: both have its
// shape. Images are uint8, or float32 or float64 in [0, 1]. Views have the images' type, float32 for uint8. Every view
// has its own parameters, drawn with its run's generator.
//
// Intensities and hues are not rounded to 8 bits after each operation as in PIL; the difference is 1.2 of 255 levels on
// average over views by [SoloLearn] (TestParityTorchvision).
func (r Recipe) Views(images *Node, random *train.Random) (first, second *Node) {
	images = intensities(images)
	return r.views(images, random.Uniform(images.DType(), 2, images.Shape().Dim(1), numbers))
}

// views draws views from uniform numbers u [R, 2, B, numbers]. Runs, views and images become one axis, since all
// operations treat them alike.
func (r Recipe) views(images, u *Node) (first, second *Node) {
	image := images.Shape().Dimensions[2:]
	all := BroadcastToDims(InsertAxes(images, 1), append(u.Shape().Dimensions[:3:3], image...)...)
	drawn := r.view(Reshape(all, append([]int{-1}, image...)...), Reshape(u, -1, numbers))
	both := Split(Reshape(drawn, all.Shape().Dimensions...), 1, 2)
	return Squeeze(both[0], 1), Squeeze(both[1], 1)
}

// view draws one view of each of N images [N, H, W, C] from uniform numbers u [N, numbers].
func (r Recipe) view(images, u *Node) *Node {
	// In the order [N, H, C, W] products over rows and over columns are plain batched products, and elementwise
	// operations on one colour run along a row.
	x := Transpose(images, 2, 3)
	if r.Crop != (Crop{}) {
		x = r.Crop.apply(x, u)
	}
	if r.Jitter.Probability > 0 {
		x = r.Jitter.apply(x, u)
	}
	if r.Grey > 0 {
		x = Where(chance(u, atGrey, r.Grey), BroadcastToShape(luminance(x), x.Shape()), x)
	}
	if r.Blur.Probability > 0 {
		sigma := r.Blur.Sigma.at(number(u, atSigma))
		x = blur(x, Where(chance(u, atBlur, r.Blur.Probability), sigma, ZerosLike(sigma)))
	}
	if r.Flip > 0 {
		x = Where(chance(u, atFlip, r.Flip), Reverse(x, 3), x)
	}
	return r.Normalise(Transpose(x, 2, 3))
}

// Normalise only normalises images [..., H, W, C] by the recipe's Mean and Std, for evaluating a trained network. Types
// are as in [Recipe.Views].
func (r Recipe) Normalise(images *Node) *Node {
	x := intensities(images)
	if r.Mean == nil {
		return x
	}
	return Div(Sub(x, ExpandLeftToRank(ConstAs(x, r.Mean), x.Rank())), ExpandLeftToRank(ConstAs(x, r.Std), x.Rank()))
}

func intensities(images *Node) *Node {
	if images.DType() == dtypes.Uint8 {
		return DivScalar(ConvertDType(images, dtypes.Float32), 255)
	}
	return images
}

// number returns the number at a position for each image, [N, …] → [N].
func number(u *Node, at int) *Node {
	return Reshape(Slice(u, AxisRange(), AxisElem(at)), u.Shape().Dim(0))
}

// chance returns events with the given probability, [N] bool.
func chance(u *Node, at int, probability float64) *Node {
	return LessThan(number(u, at), ConstAs(u, probability))
}

// at maps uniform numbers in [0, 1) to the range.
func (r Range) at(u *Node) *Node { return AddScalar(MulScalar(u, r.High-r.Low), r.Low) }

// products multiplies the rows and columns of images x [N, H, C, W] by one matrix per image, columns [N, W, W] first,
// then rows [N, H, H]; between is applied after each product.
func products(x, rows, columns *Node, between func(*Node) *Node) *Node {
	x = between(DotGeneral(x, []int{3}, []int{0}, columns, []int{2}, []int{0}))
	return between(DotGeneral(rows, []int{2}, []int{0}, x, []int{1}, []int{0}))
}

// perImage reshapes one number per image, [N], to [N, 1, 1, 1].
func perImage(x *Node) *Node { return InsertAxes(x, -1, -1, -1) }
