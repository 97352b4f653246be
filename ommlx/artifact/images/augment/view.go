package augment

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Random draws uniform random numbers in [0, 1), of shape [R, dims…], in a graph, as the Random of package train does.
type Random interface {
	Uniform(dtype dtypes.DType, dims ...int) *Node
}

// Views draws two independent views of each image for each of the R runs of random, both [R, B, H, W, C].
//
// images is [B, H, W, C], the same for every run, or [R, B, H, W, C]: uint8, or float32 or float64 in [0, 1], with at
// least 2 pixels in height and width. Views have the size of the images and their type, float32 for uint8. Every view
// of an image has its own parameters, drawn with its run's generator. It panics, as graph building does, if the
// recipe does not fit the images.
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
		panic(fmt.Errorf("augment.Views: images are of %d runs, random numbers of %d", dims[0], runs))
	}
	// Runs, views and images are one axis from here: no operation tells them apart.
	n := runs * views * batch
	all := BroadcastToDims(InsertAxes(images, 1), append([]int{runs, views, batch}, image...)...)
	out := r.apply(Reshape(all, append([]int{n}, image...)...), r.draw(Reshape(u, n, numbers), image[0], image[1]))
	out = Reshape(out, append([]int{runs, views, batch}, image...)...)
	view := func(i int) *Node {
		return Reshape(Slice(out, AxisRange(), AxisElem(i)), append([]int{runs, batch}, image...)...)
	}
	return view(0), view(1)
}

// Normalise returns images [..., H, W, C] with the recipe's Mean and Std and nothing else, as a trained network is
// evaluated on them. Types, and when it panics: as in [Recipe.Views].
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

// intensities returns the images in a floating type.
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
		panic(fmt.Errorf("%s: images have %d channels, which do not fit the recipe", where, channels))
	}
}
