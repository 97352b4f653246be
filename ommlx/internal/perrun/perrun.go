// Package perrun computes with tensors whose leading axis counts independent runs.
package perrun

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// Spread spreads one value for each run, [R], over the shape of x, [R, …].
func Spread(value, x *Node) *Node {
	dims := x.Shape().Dimensions
	one := append([]int{dims[0]}, slices.Repeat([]int{1}, len(dims)-1)...)
	return BroadcastToDims(Reshape(value, one...), dims...)
}

// Squares adds up the squares of all that belongs to a run, [R, …] → [R]; it is finite only if every square is. As a
// product it is vectorised, which a plain sum, bound to its order, is not. Where the training loop and an optimiser
// both ask for that of a gradient, XLA computes it once.
func Squares(x *Node) *Node {
	flat := Reshape(x, x.Shape().Dim(0), -1)
	return DotGeneral(flat, []int{1}, []int{0}, flat, []int{1}, []int{0})
}
