package net

import (
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx/jet"
)

// BoxMask is a factor that makes functions vanish on the boundary of the box [−a, a]^D and outside of it (Dirichlet),
//
//	m(x) = Π_d (√(2a² − x_d²) − a)/a   inside, 0 outside,
//
// that of Pfau et al. (2019) and of the code that the paper builds on (Ryu et al. 2024, mode dir_box_sqrt). Inside it
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
