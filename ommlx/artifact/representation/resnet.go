package representation

import . "github.com/gomlx/gomlx/core/graph"

// ResNet18 is the residual network with 18 layers of He et al. (2016) without the last linear layer, in solo-learn's
// form for small images (Section 3.3 of the paper; solo/methods/base.py): the first convolution is 3×3 with stride 1
// and padding 2 instead of 7×7, and there is no max pooling. Four stages of two blocks follow,
//
//	h ← ReLU(N(W_2 * ReLU(N(W_1 * h))) + S h)   with batch normalisations N,
//
// of 1, 2, 4 and 8 times the width. Each stage after the first halves the image. S is the identity or, where shapes
// change, a normalised 1×1 convolution. The features are the means over the last image.
//
// Padding 2 enlarges an image by 2: a 32×32 image has sides 34, 17, 9 and 5 in the stages.
type ResNet18 struct {
	Channels int // of the images: 3 for colour, 1 for grey
	Width    int // channels of the first stage, 64 in the paper
	Blocks   int // of each stage, 2 in the paper; 1 makes it ResNet-10
}

// Features is d, the number of features of an image: 8 times the width, 512 in the paper.
func (n ResNet18) Features() int { return 8 * n.Width }

func (n ResNet18) network() network {
	normed := func(k, in, out, stride, padding int) layer {
		return chain(convolution(k, in, out, stride, padding), norm(out))
	}
	in := n.Width
	all := []layer{normed(3, n.Channels, in, 1, 2), rectifier}
	for stage := range 4 {
		out, stride := n.Width<<stage, min(2, stage+1)
		for range n.Blocks {
			shortcut := chain()
			if stride > 1 || in != out {
				shortcut = normed(1, in, out, stride, 0)
			}
			block := chain(normed(3, in, out, stride, 1), rectifier, normed(3, out, out, 1, 1))
			all = append(all, residual(block, shortcut))
			in, stride = out, 1
		}
	}
	means := layer{pass: func(_ *supply, x *Node) *Node { return ReduceMean(x, 2, 3) }}
	return network{stream: 0x2e5, rank: 4, layer: chain(append(all, means)...)}
}
