package jet

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// Add returns a + b. As in [Mul], shapes are aligned at their last axes, and axes of length 1 or missing in front are
// broadcast: a [M, B, w] may be combined with b [B, 1].
func Add(a, b Jet) Jet {
	return across(func(_ int, jets ...Jet) Jet {
		return zip(func(x ...*Node) *Node { return aligned(graph.Add)(x[0], x[1]) }, jets...)
	}, a, b)
}

// Mul returns a·b by the product rule, Δ(ab) = a Δb + b Δa + 2 Σ_d ∂_d a ∂_d b, with shapes as in [Add].
func Mul(a, b Jet) Jet {
	return across(func(_ int, jets ...Jet) Jet { return product(jets[0], jets[1]) }, a, b)
}

func product(a, b Jet) Jet {
	mul := aligned(graph.Mul)
	out := Jet{Value: mul(a.Value, b.Value), Gradient: make([]*Node, dimsOf(a, b))}
	var cross *Node
	for d := range out.Gradient {
		out.Gradient[d] = graph.Add(mul(a.Value, b.Gradient[d]), mul(b.Value, a.Gradient[d]))
		cross = plus(cross, mul(a.Gradient[d], b.Gradient[d]))
	}
	out.Laplacian = graph.MulScalar(cross, 2)
	if !b.affine() {
		out.Laplacian = graph.Add(out.Laplacian, mul(a.Value, b.Laplacian))
	}
	if !a.affine() {
		out.Laplacian = graph.Add(out.Laplacian, mul(b.Value, a.Laplacian))
	}
	return out
}

// Scale returns c·j.
func Scale(j Jet, c float64) Jet {
	return entrywise(j, func(j Jet) Jet {
		return j.streams(func(x *Node) *Node { return graph.MulScalar(x, c) })
	})
}

// Shift returns j + c.
func Shift(j Jet, c float64) Jet {
	return entrywise(j, func(j Jet) Jet {
		affine := j.affine()
		j.Value = graph.AddScalar(j.Value, c)
		return j.mark(affine)
	})
}

// Standardise returns (j_i − centre_i)·scale_i in column i of [..., B, w], for w numbers in centre and scale.
func Standardise(j Jet, centre, scale []float64) Jet {
	if w := j.Value.Shape().Dim(-1); len(centre) != w || len(scale) != w {
		panic(fmt.Errorf("jet.Standardise: got %d centres and %d scales, want %d, one per column",
			len(centre), len(scale), w))
	}
	row := func(x []float64) *Node { return graph.ExpandLeftToRank(graph.ConstAs(j.Value, x), j.Value.Rank()) }
	affine, by := j.affine(), row(scale)
	j.Value = graph.Sub(j.Value, row(centre))
	return j.streams(func(x *Node) *Node { return graph.Mul(x, by) }).mark(affine)
}

// aligned extends op to operands of different ranks, by adding leading axes of length 1.
func aligned(op func(x, y *Node) *Node) func(x, y *Node) *Node {
	return func(x, y *Node) *Node {
		rank := max(x.Rank(), y.Rank())
		return op(graph.ExpandLeftToRank(x, rank), graph.ExpandLeftToRank(y, rank))
	}
}

// plus adds x to a sum that may be nil.
func plus(sum, x *Node) *Node {
	if sum == nil {
		return x
	}
	return graph.Add(sum, x)
}
