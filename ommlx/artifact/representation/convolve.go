package representation

import (
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/tensorx"
)

// convolve is the convolution of x [R, B, H, W, C] with kernels w [R, k, k, C, D], run by run:
//
//	y[r, b, i, j, d] = Σ over u, v < k and c of w[r, u, v, c, d] · x[r, b, s·i + u − p, s·j + v − p, c]
//
// with stride s and padding p, where x is 0 outside the image. It returns [R, B, H', W', D], H' = ⌊(H + 2p − k)/s⌋ + 1.
//
// On a CPU it uses forms that XLA compiles to fast code. On other devices it is the device's own convolution.
func convolve(x, w *Node, stride, padding int) *Node {
	switch tuned := onCPU(x.Graph().Backend()); {
	case !tuned:
		return deviceConvolutions(x, w, stride, padding)
	case byProduct(x, w, stride):
		return convolveByProduct(x, w, stride, padding)
	}
	return eachRun(x, w, func(x, w *Node) *Node { return convolveImages(x, w, padding) })
}

// onCPU reports whether a backend runs on the CPU: the pure Go backend, or XLA with the CPU plugin.
func onCPU(b compute.Backend) bool {
	xla, is := b.(interface{ PluginName() string })
	return !is || strings.Contains(filepath.Base(xla.PluginName()), "cpu")
}

// deviceConvolutions is convolve by GoMLX.
func deviceConvolutions(x, w *Node, stride, padding int) *Node {
	return eachRun(x, w, func(x, w *Node) *Node { return deviceConvolution(x, w, stride, padding) })
}

// deviceConvolution is convolve on one run, x [B, H, W, C] and w [k, k, C, D], by GoMLX.
func deviceConvolution(x, w *Node, stride, padding int) *Node {
	return Convolve(x, w).Strides(stride).PaddingPerDim([][2]int{{padding, padding}, {padding, padding}}).Done()
}

// eachRun applies a convolution to one run after another: XLA has no batch axis for kernels.
func eachRun(x, w *Node, of func(x, w *Node) *Node) *Node {
	dims, kernel := x.Shape().Dimensions, w.Shape().Dimensions
	runs := make([]*Node, dims[0])
	for r := range runs {
		image := Reshape(Slice(x, AxisElem(r)), dims[1:]...)
		weights := Reshape(Slice(w, AxisElem(r)), kernel[1:]...)
		runs[r] = InsertAxes(of(image, weights), 0)
	}
	return Concatenate(runs, 0)
}

// convolveImages is convolve of stride 1 on one run, x [B, H, W, C] and w [k, k, C, D], by XLA's convolution.
//
// Its gradients are again convolutions of [B, H, W, C] with [k, k, C, D]. XLA on a CPU has fast kernels only for this
// form. It rewrites the gradients that GoMLX derives into it only outside a device loop; inside, they would be plain
// loops, a hundred times slower.
func convolveImages(x, w *Node, padding int) *Node {
	return tensorx.WithGradient([]*Node{x, w}, deviceConvolution(x, w, 1, padding), func(v *Node) []*Node {
		// dx is the convolution with the kernel rotated by 180° and its channels exchanged.
		turned := Transpose(Reverse(w, 0, 1), 2, 3)
		// dw is the convolution of the images with v as the kernel: [C, H, W, B] with [H', W', B, D].
		dw := deviceConvolution(TransposeAllAxes(x, 3, 1, 2, 0), TransposeAllAxes(v, 1, 2, 0, 3), 1, padding)
		dx := deviceConvolution(v, turned, 1, w.Shape().Dim(0)-1-padding)
		return []*Node{dx, TransposeAllAxes(dw, 1, 2, 0, 3)}
	})
}

// byProduct reports whether a convolution and its gradients take less time as products. With the XLA CPU plugin 0.11.2
// these are 1×1 kernels, inputs with at most 3 channels, strides and small images.
func byProduct(x, w *Node, stride int) bool {
	const colours, smallImage = 3, 6 * 6
	dims := x.Shape().Dimensions
	return w.Shape().Dim(1) == 1 || dims[4] <= colours || stride > 1 || dims[2]*dims[3] <= smallImage
}

// convolveByProduct is convolve as a product of the patches [R, B·H'·W', k·k·C] with the kernels.
func convolveByProduct(x, w *Node, stride, padding int) *Node {
	kernel := w.Shape().Dimensions
	x = padded(padded(x, 2, padding), 3, padding)
	dims := x.Shape().Dimensions
	var shifted []*Node
	for u := range kernel[1] {
		for v := range kernel[2] {
			shifted = append(shifted, Slice(x, AxisRange(), AxisRange(),
				AxisRange(u, dims[2]-kernel[1]+u+1).Stride(stride), AxisRange(v, dims[3]-kernel[2]+v+1).Stride(stride),
				AxisRange()))
		}
	}
	patches := Concatenate(shifted, -1)
	image := patches.Shape().Dimensions[:4:4]
	y := DotGeneral(Reshape(patches, dims[0], -1, patches.Shape().Dim(-1)), []int{2}, []int{0},
		Reshape(w, dims[0], -1, kernel[4]), []int{1}, []int{0})
	return Reshape(y, append(image, kernel[4])...)
}

// padded puts n zeros before and after x along an axis. GoMLX has no gradient for its own Pad.
func padded(x *Node, axis, n int) *Node {
	if n == 0 {
		return x
	}
	edge := x.Shape().Clone().Dimensions
	edge[axis] = n
	zeros := Zeros(x.Graph(), shapes.Make(x.DType(), edge...))
	return Concatenate([]*Node{zeros, x, zeros}, axis)
}
