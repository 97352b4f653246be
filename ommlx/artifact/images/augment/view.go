package augment

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Random draws uniform random numbers in [0, 1), of shape [R, dims…], in a graph, like Random in package train.
type Random interface {
	Uniform(dtype dtypes.DType, dims ...int) *Node
}

// Views draws two independent views of each image for each of the R runs of random, both [R, B, H, W, C].
//
// images is [B, H, W, C], the same for every run, or [R, B, H, W, C]: uint8, or float32 or float64 in [0, 1], with at
// least 2 pixels in height and width. Views have the images' size and type, float32 for uint8. Every view of an image
// has its own parameters, drawn with its run's generator. Views panics, as graph building does, if the recipe does not
// fit the images.
func (r Recipe) Views(images *Node, random Random) (first, second *Node) {
	r.require("augment.Views", images)
	images = intensities(images)
	dims := images.Shape().Dimensions
	image := dims[len(dims)-3:]
	batch := dims[len(dims)-4]
	const views = 2
	u := random.Uniform(images.DType(), views, batch, numbers)
	runs := u.Shape().Dim(0)
	if len(dims) == 4 {
		images = InsertAxes(images, 0)
	} else if dims[0] != runs {
		panic(fmt.Errorf("augment.Views: images have %d runs, random numbers have %d", dims[0], runs))
	}
	// From here runs, views and images are one axis, since all operations treat them alike.
	n := runs * views * batch
	all := BroadcastToDims(InsertAxes(images, 1), append([]int{runs, views, batch}, image...)...)
	out := r.apply(Reshape(all, append([]int{n}, image...)...), r.draw(Reshape(u, n, numbers), image[0], image[1]))
	out = Reshape(out, append([]int{runs, views, batch}, image...)...)
	view := func(i int) *Node {
		return Reshape(Slice(out, AxisRange(), AxisElem(i)), append([]int{runs, batch}, image...)...)
	}
	return view(0), view(1)
}

// Normalise only normalises images [..., H, W, C] by the recipe's Mean and Std, for evaluating a trained network. Types
// and panics are as in [Recipe.Views].
func (r Recipe) Normalise(images *Node) *Node {
	r.require("augment.Normalise", images)
	return r.normalise(intensities(images))
}

func (r Recipe) normalise(x *Node) *Node {
	if r.Mean == nil {
		return x
	}
	perChannel := func(numbers []float64) *Node { return ExpandLeftToRank(ConstAs(x, numbers), x.Rank()) }
	return Div(Sub(x, perChannel(r.Mean)), perChannel(r.Std))
}

func intensities(images *Node) *Node {
	if images.DType() == dtypes.Uint8 {
		return DivScalar(ConvertDType(images, dtypes.Float32), 255)
	}
	return images
}

// require panics unless the recipe fits the images.
func (r Recipe) require(where string, images *Node) {
	rank, dtype := images.Rank(), images.DType()
	switch {
	case rank < 4 || rank > 5 || dtype != dtypes.Uint8 && !dtype.IsFloat():
		panic(fmt.Errorf("%s: images are %s, want [B, H, W, C] or [R, B, H, W, C], uint8 or float", where,
			images.Shape()))
	case min(images.Shape().Dim(-3), images.Shape().Dim(-2)) < 2:
		panic(fmt.Errorf("%s: images are %s, want at least 2×2 pixels", where, images.Shape()))
	}
	channels := images.Shape().Dim(-1)
	if (r.Grey > 0 || r.Jitter.Probability > 0) && channels != 3 || r.Mean != nil && len(r.Mean) != channels {
		panic(fmt.Errorf("%s: recipe does not fit images with %d channels", where, channels))
	}
}
