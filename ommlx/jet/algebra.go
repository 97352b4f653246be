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
	mul := aligned(graph.Mul)
	return across(func(_ int, jets ...Jet) Jet {
		a, b := jets[0], jets[1]
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
	}, a, b)
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

// Chain applies a smooth σ to every entry of j.Value = u, given f = σ(u), df = σ′(u) and ddf = σ″(u) in the shape of u:
//
//	∂_d σ(u) = σ′(u) ∂_d u,   Δσ(u) = σ′(u) Δu + σ″(u) Σ_d (∂_d u)².
func Chain(j Jet, f, df, ddf *Node) Jet {
	out := Jet{Value: f, Gradient: make([]*Node, j.Dims())}
	var squares *Node
	for d, g := range j.Gradient {
		out.Gradient[d] = graph.Mul(df, g)
		squares = plus(squares, graph.Square(g))
	}
	out.Laplacian = graph.Mul(ddf, squares)
	if !j.affine() {
		out.Laplacian = graph.Add(graph.Mul(df, j.Laplacian), out.Laplacian)
	}
	return out
}

// Softplus is log(1 + eᵘ), with σ′ = s = 1/(1 + e⁻ᵘ) and σ″ = s(1 − s). It computes everything from s, with one
// exponential and without overflow or loss of accuracy for large |u|:
//
//	log(1 + eᵘ) = max(u, 0) − log1p(−min(s, 1 − s)).
func Softplus(j Jet) Jet {
	return entrywise(j, func(j Jet) Jet {
		s := graph.Logistic(j.Value)
		rest := graph.OneMinus(s)
		zero := graph.ZerosLike(s)
		positive := graph.GreaterThan(j.Value, zero)
		f := graph.Sub(graph.Where(positive, j.Value, zero), graph.Log1p(graph.Neg(graph.Where(positive, rest, s))))
		return Chain(j, withDerivative(f, j.Value, s), s, graph.Mul(s, rest))
	})
}

// withDerivative returns f = σ(u) with df = σ′(u) as its derivative in reverse mode. For softplus, GoMLX's own rules
// take a dozen operations per entry.
func withDerivative(f, u, df *Node) *Node {
	follow := graph.IdentityWithCustomGradient(u, func(_, v *Node) *Node { return graph.Mul(v, df) })
	return graph.Add(graph.StopGradient(f), graph.Sub(follow, graph.StopGradient(u))) // adds u − u
}

// Sin is sin u.
func Sin(j Jet) Jet {
	return entrywise(j, func(j Jet) Jet {
		sin, cos := graph.Sin(j.Value), graph.Cos(j.Value)
		return Chain(j, sin, cos, graph.Neg(sin))
	})
}

// SinCos is sin u and cos u, concatenated: [..., B, w] → [..., B, 2w], as in Fourier features. The barrier stops XLA's
// fusions from recomputing both for every stream, a tenth of a training step with 1,024 features.
func SinCos(j Jet) Jet {
	return across(func(axis int, jets ...Jet) Jet {
		u := jets[0]
		kept := graph.OptimizationBarriers(graph.Sin(u.Value), graph.Cos(u.Value))
		sin, cos := kept[0], kept[1]
		return zip(func(x ...*Node) *Node { return graph.Concatenate(x, axis) },
			Chain(u, sin, cos, graph.Neg(sin)), Chain(u, cos, graph.Neg(sin), graph.Neg(cos)))
	}, j)
}

// Exp is eᵘ.
func Exp(j Jet) Jet {
	return entrywise(j, func(j Jet) Jet {
		e := graph.Exp(j.Value)
		return Chain(j, e, e, e)
	})
}

// Sqrt is √u for u > 0. Its derivatives are not finite at u = 0.
func Sqrt(j Jet) Jet {
	return entrywise(j, func(j Jet) Jet {
		root := graph.Sqrt(j.Value)
		half := graph.MulScalar(graph.Reciprocal(root), 0.5)
		return Chain(j, root, half, graph.MulScalar(graph.Div(half, j.Value), -0.5))
	})
}
