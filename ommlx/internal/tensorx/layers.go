package tensorx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
)

// PerRun returns W x for x [R, B, in] and W [R, out, in], with the shape [R, B, out].
//
// With W [R, in, out], GoMLX's gradient for W would be a transposed product, which a CPU reads by columns.
func PerRun(x, w *Node) *Node { return DotGeneral(x, []int{2}, []int{0}, w, []int{2}, []int{0}) }

// OnXLA reports whether XLA compiles the graphs of a backend.
func OnXLA(b compute.Backend) bool { return b.Name() == "xla" }

// ReLU uses a comparison, since GoMLX's gradient of Max has two Sign operations, which XLA on a CPU computes several
// times more slowly than a select. NaN passes through it.
func ReLU(x *Node) *Node {
	zero := ZerosLike(x)
	return Where(LessOrEqual(x, zero), zero, x)
}

// WithGradient returns y, a function of the inputs, with a custom gradient: given the gradient v with respect to y,
// back returns the gradients with respect to the inputs, in their shapes. The graph of y is not differentiated.
//
// GoMLX has custom gradients only for the identity of one input. So inputs and y pass through it concatenated, and only
// the part of y is used. XLA removes the copies.
func WithGradient(inputs []*Node, y *Node, back func(v *Node) []*Node) *Node {
	joined := func(parts []*Node) *Node {
		return Concatenate(xslices.Map(parts, func(x *Node) *Node { return Reshape(x, -1) }), 0)
	}
	from := 0
	for _, x := range inputs {
		from += x.Shape().Size()
	}
	shape := y.Shape()
	tail := func(x *Node) *Node {
		if !OnXLA(x.Graph().Backend()) {
			return Reshape(Slice(x, AxisRange(from)), shape.Dimensions...)
		}
		// In GoMLX the gradient of Slice is Pad, which has none, so y could be differentiated only once.
		start := []*Node{Scalar(x.Graph(), dtypes.Int32, from)}
		return Reshape(DynamicSlice(x, start, []int{shape.Size()}), shape.Dimensions...)
	}
	all := joined(append(slices.Clone(inputs), StopGradient(y)))
	return tail(IdentityWithCustomGradient(all, func(_, v *Node) *Node {
		return joined(append(back(tail(v)), ZerosLike(y)))
	}))
}
