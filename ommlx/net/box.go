package net

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/jet"
)

// Box is the set Π_d (Lower_d, Upper_d), in the units of x. For (−a, a)^D there is [BoxMask].
type Box struct {
	Lower, Upper []float64 // D numbers each
}

// Validate returns an error that names an axis whose bounds are not finite or not in order.
func (b Box) Validate() error {
	if len(b.Lower) == 0 || len(b.Lower) != len(b.Upper) {
		return fmt.Errorf("box: Lower has %d bounds and Upper has %d, want one of each per axis",
			len(b.Lower), len(b.Upper))
	}
	for d, lower := range b.Lower {
		width := b.Upper[d] - lower
		if !(width > 0) || math.IsInf(width, 0) {
			return fmt.Errorf("box: axis %d is (%v, %v), want finite bounds with the lower one first",
				d, lower, b.Upper[d])
		}
	}
	return nil
}

// Centred returns a box of this size around the origin, and the centre of the box.
func (b Box) Centred() (around Box, centre []float64) {
	for d, lower := range b.Lower {
		half := (b.Upper[d] - lower) / 2
		centre = append(centre, lower+half)
		around.Lower, around.Upper = append(around.Lower, -half), append(around.Upper, half)
	}
	return around, centre
}

// Mask is [BoxMask] for this box, with centre c and half-widths a,
//
//	m(x) = Π_d (√(2a_d² − (x_d − c_d)²) − a_d)/a_d   inside, 0 outside and on the faces.
//
// x is [..., B, D] (jet.Inputs). Mask returns [..., B, 1]. It panics if D does not fit or the box is invalid.
func (b Box) Mask(x jet.Jet) jet.Jet {
	if err := b.Validate(); err != nil {
		panic(err)
	}
	if x.Dims() != len(b.Lower) {
		panic(fmt.Errorf("box: points have dimension %d, want %d", x.Dims(), len(b.Lower)))
	}
	// Compare with the bounds themselves, since rounding can move a face slightly.
	row := func(bounds []float64) *Node { return ExpandLeftToRank(ConstAs(x.Value, bounds), x.Value.Rank()) }
	within := LogicalAnd(GreaterThan(x.Value, row(b.Lower)), LessThan(x.Value, row(b.Upper)))
	unit := b.Unit(x)
	return boxMask(unit, LogicalAnd(within, inside(unit, 1)), 1)
}

// Unit maps points x [..., B, D] of the box to [−1, 1]^D.
func (b Box) Unit(x jet.Jet) jet.Jet {
	around, centre := b.Centred()
	return jet.Standardise(x, centre, xslices.Map(around.Upper, func(half float64) float64 { return 1 / half }))
}

// BoxMask is a factor that makes functions vanish on the boundary of the box [−a, a]^D and outside (Dirichlet),
//
//	m(x) = Π_d (√(2a² − x_d²) − a)/a   inside, 0 outside,
//
// as in Pfau et al. (2019) and in the code that the paper builds on (Ryu et al. 2024, mode dir_box_sqrt). Inside it is
// smooth and positive, with the maximum (√2 − 1)^D at the centre. It has a kink on the boundary: where a stencil of
// finite differences with step h crosses it, the Laplacian is wrong by the slope divided by h.
//
// x is [..., B, D] (jet.Inputs); a > 0 is in the units of x. BoxMask returns [..., B, 1].
func BoxMask(x jet.Jet, a float64) jet.Jet { return boxMask(x, inside(x, a), a) }

// inside reports whether each coordinate is in (−a, a).
func inside(x jet.Jet, a float64) *Node {
	return LessThan(Abs(x.Value), Scalar(x.Value.Graph(), x.Value.DType(), a))
}

// boxMask is BoxMask where inside is true, and 0 elsewhere.
func boxMask(x jet.Jet, inside *Node, a float64) jet.Jet {
	only := func(s *Node) *Node { return Where(inside, s, ZerosLike(s)) }
	x = x.Map(only) // outside, the root may be NaN
	root := jet.Sqrt(jet.Shift(jet.Scale(jet.Mul(x, x), -1), 2*a*a))
	factors := jet.Scale(jet.Shift(root, -a), 1/a).Map(only)
	mask := factors.Column(0)
	for d := 1; d < x.Dims(); d++ {
		mask = jet.Mul(mask, factors.Column(d))
	}
	return mask
}
