package net

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/jet"
)

// Box is the set Π_d (Lower_d, Upper_d) with bounds for every axis, in the units of x. [BoxMask] does for (−a, a)^D.
type Box struct {
	Lower, Upper []float64 // D numbers each
}

// Validate returns an error that names the axis whose bounds are not finite or not in order.
func (b Box) Validate() error {
	if len(b.Lower) == 0 || len(b.Lower) != len(b.Upper) {
		return fmt.Errorf("the box has %d lower and %d upper bounds; give one of each for every axis",
			len(b.Lower), len(b.Upper))
	}
	for d, lower := range b.Lower {
		width := b.Upper[d] - lower
		if !(width > 0) || math.IsInf(width, 0) {
			return fmt.Errorf("axis %d of the box reaches from %v to %v; bounds must be finite, the lower one first",
				d, lower, b.Upper[d])
		}
	}
	return nil
}

// Mask is the factor of [BoxMask] for this box, with c the centre and a the half-widths,
//
//	m(x) = Π_d (√(2a_d² − (x_d − c_d)²) − a_d)/a_d   inside, 0 outside and on the faces.
//
// x is [..., B, D] (jet.Inputs). Returns [..., B, 1]. It panics, as graph building does, when D does not fit or the box
// is not valid.
func (b Box) Mask(x jet.Jet) jet.Jet {
	if err := b.Validate(); err != nil {
		panic(err)
	}
	if x.Dims() != len(b.Lower) {
		panic(fmt.Errorf("the mask of a box in dimension %d cannot be taken at points of dimension %d",
			len(b.Lower), x.Dims()))
	}
	var centre, scale []float64
	for d, lower := range b.Lower {
		half := (b.Upper[d] - lower) / 2
		centre, scale = append(centre, lower+half), append(scale, 1/half)
	}
	// Compared with the bounds themselves, since rounding can move a face by a little.
	row := func(bounds []float64) *Node { return ExpandLeftToRank(ConstAs(x.Value, bounds), x.Value.Rank()) }
	within := LogicalAnd(GreaterThan(x.Value, row(b.Lower)), LessThan(x.Value, row(b.Upper)))
	unit := jet.Standardise(x, centre, scale)
	return boxMask(unit, LogicalAnd(within, inside(unit, 1)), 1)
}

// BoxMask is a factor that makes functions vanish on the boundary of the box [−a, a]^D and outside of it (Dirichlet),
//
//	m(x) = Π_d (√(2a² − x_d²) − a)/a   inside, 0 outside,
//
// as in Pfau et al. (2019) and in the code that the paper builds on (Ryu et al. 2024, mode dir_box_sqrt). Inside it
// is smooth and positive; its greatest value, at the centre, is (√2 − 1)^D.
//
// On the boundary it has a kink. Jets do not notice, since points are inside; finite differences with the step h do,
// where their stencil reaches over the edge: there the Laplacian is wrong by the slope over h
// (notebooks/06_schrodinger_inverse).
//
// x is [..., B, D] (jet.Inputs), a positive, in the units of x. Returns [..., B, 1].
func BoxMask(x jet.Jet, a float64) jet.Jet { return boxMask(x, inside(x, a), a) }

// inside says for each coordinate whether it is in (−a, a).
func inside(x jet.Jet, a float64) *Node {
	return LessThan(Abs(x.Value), Scalar(x.Value.Graph(), x.Value.DType(), a))
}

// boxMask is BoxMask where coordinates are inside.
func boxMask(x jet.Jet, inside *Node, a float64) jet.Jet {
	only := func(s *Node) *Node { return Where(inside, s, ZerosLike(s)) }
	x = x.Map(only) // outside, the root may not exist
	root := jet.Sqrt(jet.Shift(jet.Scale(jet.Mul(x, x), -1), 2*a*a))
	factors := jet.Scale(jet.Shift(root, -a), 1/a).Map(only)
	mask := factors.Column(0)
	for d := 1; d < x.Dims(); d++ {
		mask = jet.Mul(mask, factors.Column(d))
	}
	return mask
}
