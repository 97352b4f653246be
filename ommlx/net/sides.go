package net

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"
)

// Sides are k functions of x [D] and k functions of y [E], such as those of a joint law. A point is its side, 0 for x
// or 1 for y, followed by its coordinates, padded with zeros: see [Sides.Points].
type Sides struct {
	left, right Functions
	dims        [2]int // D and E
	split       int    // the number of parameters of left
}

// NewSides combines functions of x and of y, of d and e coordinates.
func NewSides(left, right Functions, d, e int) Sides {
	return Sides{left, right, [2]int{d, e}, len(left.Init([]int64{1}))}
}

// Points returns points of one side, N×D or N×E, as points of both.
func (s Sides) Points(of mat.Matrix, side int) *mat.Dense {
	of = Prepare([]Functions{s.left, s.right}[side], of)
	n, d := of.Dims()
	p := mat.NewDense(n, 1+max(s.dims[0], s.dims[1]), nil)
	for i := range n {
		p.Set(i, 0, float64(side))
	}
	p.Slice(0, n, 1, 1+d).(*mat.Dense).Copy(of)
	return p
}

// Init draws the parameters of left, then those of right.
func (s Sides) Init(seeds []int64) []*tensors.Tensor {
	// With equal seeds both networks would start equal, and u = v for a reversible process.
	other := xslices.Map(seeds, func(seed int64) int64 { return seed + math.MaxInt32 })
	return append(s.left.Init(seeds), s.right.Init(other)...)
}

// Apply evaluates each point by the functions of its side.
func (s Sides) Apply(params []*Node, x *Node) *Node {
	coordinates := func(side int) *Node { return SliceAxis(x, -1, AxisRange(1, 1+s.dims[side])) }
	u := s.left.Apply(params[:s.split], coordinates(0))
	v := s.right.Apply(params[s.split:], coordinates(1))
	side := SliceAxis(x, -1, AxisRange(0, 1))
	return Where(BroadcastToShape(Equal(side, ZerosLike(side)), u.Shape()), u, v)
}
