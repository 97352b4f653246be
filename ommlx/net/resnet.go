package net

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// ResNet18 is the residual network with 18 layers of He et al. (2016) in its form for small images, without the last
// linear layer, as solo-learn has it (Section 3.3 of the paper; solo/methods/base.py): a first convolution of 3×3 with
// stride 1 and padding 2 in the place of 7×7, and no maximum pooling. Four stages of two blocks follow,
//
//	h ← ReLU(N(W_2 * ReLU(N(W_1 * h))) + S h)   with batch normalisations N,
//
// of 1, 2, 4 and 8 times the width, which halve the image from stage to stage; S is the identity or, where shapes
// change, a normalised 1×1 convolution. The features are the means over the last image.
//
// Padding 2 makes an image larger by 2: 32×32 goes through the stages as 34, 17, 9 and 5.
type ResNet18 struct {
	Channels int // of the images: 3 for colour, 1 for grey
	Width    int // channels of the first stage, 64 when zero (the paper)
}

// Validate returns an error when a number is out of range.
func (n ResNet18) Validate() error {
	if n.Channels < 1 {
		return fmt.Errorf("ResNet-18: images have %d channels; give at least 1", n.Channels)
	}
	if n.Width < 0 {
		return fmt.Errorf("ResNet-18: the width is %d; it must be positive, or 0 for the paper's 64", n.Width)
	}
	return nil
}

func (n ResNet18) width() int { return cmp.Or(n.Width, 64) }

// Features is d, the number of features of an image: 8 times the width, 512 in the paper.
func (n ResNet18) Features() int { return 8 * n.width() }

// block is one residual block.
type block struct{ in, out, stride int }

// projected tells whether the shortcut changes shapes.
func (b block) projected() bool { return b.stride > 1 || b.in != b.out }

func (n ResNet18) blocks() (list []block) {
	in := n.width()
	for stage := range 4 {
		out, stride := n.width()<<stage, min(2, stage+1)
		list = append(list, block{in, out, stride}, block{out, out, 1})
		in = out
	}
	return list
}

// weights lists the parameters and the running statistics in PyTorch's order.
func (n ResNet18) weights() (params, statistics []weight) {
	layer := func(k, in, out int) {
		params = append(append(params, convolution(k, in, out)), normWeights(out)...)
		statistics = append(statistics, normStatistics(out)...)
	}
	layer(3, n.Channels, n.width())
	for _, b := range n.blocks() {
		layer(3, b.in, b.out)
		layer(3, b.out, b.out)
		if b.projected() {
			layer(1, b.in, b.out)
		}
	}
	return params, statistics
}

// Init draws initial parameters for len(seeds) runs, in float32 and in the order of PyTorch's named_parameters: kernels
// [R, k, k, in, out], γ and β [R, out]. Kernels are normal with variance 2/(k²·out), γ is 1, β is 0, as torchvision has
// them. Run r depends on seeds[r] alone.
func (n ResNet18) Init(seeds []int64) []*tensors.Tensor {
	params, _ := n.weights()
	return draw(params, seeds, 0x2e5)
}

// InitState returns the running statistics of runs before the first batch: mean 0 and variance 1, [R, out] each, layer
// after layer.
func (n ResNet18) InitState(runs int) []*tensors.Tensor {
	_, statistics := n.weights()
	return draw(statistics, make([]int64, runs), 0)
}

// Train returns the features [R, B, d] of images x [B, H, W, C] (the same for every run) or [R, B, H, W, C], normalised
// by the statistics of this batch, and the next running statistics. params and state are as from [ResNet18.Init] and
// [ResNet18.InitState]. It panics, as all graph building does, with one sentence when shapes do not fit.
func (n ResNet18) Train(params, state []*Node, x *Node) (features *Node, next []*Node) {
	return n.pass(params, state, x, true)
}

// Apply returns the features as [ResNet18.Train] does, normalised by the running statistics.
func (n ResNet18) Apply(params, state []*Node, x *Node) *Node {
	features, _ := n.pass(params, state, x, false)
	return features
}

func (n ResNet18) pass(params, state []*Node, x *Node, training bool) (features *Node, next []*Node) {
	weights, statistics := n.weights()
	l, runs := newLayers("ResNet18", weights, statistics, params, state, training)
	x = requireImages("ResNet18", n.Channels, runs, x)
	h := relu(l.norm(l.conv(x, 1, 2)))
	for _, b := range n.blocks() {
		y := relu(l.norm(l.conv(h, b.stride, 1)))
		y = l.norm(l.conv(y, 1, 1))
		if b.projected() {
			h = l.norm(l.conv(h, b.stride, 0))
		}
		h = relu(Add(y, h))
	}
	return ReduceMean(h, 2, 3), l.next
}
