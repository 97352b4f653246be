package tensorx

import . "github.com/gomlx/gomlx/core/graph"

// PerRun returns W x for x [R, B, in] and W [R, out, in], with the shape [R, B, out].
//
// With W [R, in, out], GoMLX's gradient for W would be a transposed product, which a CPU reads by columns.
func PerRun(x, w *Node) *Node { return DotGeneral(x, []int{2}, []int{0}, w, []int{2}, []int{0}) }

// ReLU uses a comparison, since GoMLX's gradient of Max has two Sign operations, which XLA on a CPU computes several
// times more slowly than a select. NaN passes through it.
func ReLU(x *Node) *Node {
	zero := ZerosLike(x)
	return Where(LessOrEqual(x, zero), zero, x)
}
