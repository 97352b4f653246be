// Package jet computes Laplacians exactly in one forward pass: it propagates value, gradient and Laplacian with respect
// to the input coordinates through a network together, so that reverse mode is needed only for the parameters.
//
// For u: ℝ^D → ℝ^w there are three rules. A linear map acts on value, gradient and Laplacian (the streams) alike; for σ
// applied to every component
//
//	∂_d σ(u) = σ′(u) ∂_d u,   Δσ(u) = σ′(u) Δu + σ″(u) Σ_d (∂_d u)²;
//
// and for a product
//
//	∂_d(uv) = u ∂_d v + v ∂_d u,   Δ(uv) = u Δv + v Δu + 2 Σ_d ∂_d u ∂_d v.
//
// The cost is about D+2 evaluations. The scheme is the forward Laplacian of Li et al. (2024), "A computational
// framework for neural network-based variational Monte Carlo with Forward Laplacian".
//
// The functions of this package build graphs and, like GoMLX, panic if shapes do not fit.
package jet

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
)

// Node is a node of a computation graph.
type Node = graph.Node

// Jet is the value, gradient and Laplacian of functions on a batch, with respect to the D input coordinates.
type Jet struct {
	Value     *Node   // u, of any shape S; by convention [..., B, w]: B points, w functions
	Gradient  []*Node // ∂u/∂x_d, D of shape S
	Laplacian *Node   // Δu = Σ_d ∂²u/∂x_d², shape S

	known known // properties that speed up computations; the zero value is always valid
}

// Inputs returns the jet of the coordinates x [..., B, D].
func Inputs(x *Node) Jet {
	if x.Rank() < 2 {
		panic(fmt.Errorf("jet.Inputs: x is %s, want [..., B, D]", x.Shape()))
	}
	j := Constant(x, x.Shape().Dim(-1))
	for d := range j.Gradient {
		j.Gradient[d] = unit(x, d)
	}
	return j.mark(true)
}

// Constant returns the jet of a value that does not depend on the dims coordinates.
func Constant(value *Node, dims int) Jet {
	zero := graph.ZerosLike(value)
	j := Jet{Value: value, Gradient: slices.Repeat([]*Node{zero}, dims), Laplacian: zero}
	return j.mark(value.Rank() >= 2)
}

// Dims returns D, the number of coordinates.
func (j Jet) Dims() int { return len(j.Gradient) }

// Column returns function i of [..., B, w] as [..., B, 1]: coordinate i for [Inputs].
func (j Jet) Column(i int) Jet {
	return across(func(axis int, jets ...Jet) Jet {
		return jets[0].streams(func(x *Node) *Node { return graph.SliceAxis(x, axis, graph.AxisElem(i)) })
	}, j)
}

// Map applies a linear operation on functions to every stream, such as a transposition, a reshape or a sum over
// functions. The operation must treat all points alike and not depend on the coordinates, so that it commutes with ∂_d
// and Δ.
func (j Jet) Map(linear func(x *Node) *Node) Jet {
	return j.streams(linear).mark(false) // the batch axis may have moved
}

// streams applies one operation to every stream.
func (j Jet) streams(op func(x *Node) *Node) Jet {
	return zip(func(x ...*Node) *Node { return op(x[0]) }, j)
}

// zip combines the streams of jets, value with value and so on, by a linear operation that does not change the batch
// axis.
func zip(op func(x ...*Node) *Node, jets ...Jet) Jet {
	pick := func(stream func(j Jet) *Node) *Node { return op(xslices.Map(jets, stream)...) }
	out := Jet{
		Value:     pick(func(j Jet) *Node { return j.Value }),
		Gradient:  make([]*Node, dimsOf(jets...)),
		Laplacian: pick(func(j Jet) *Node { return j.Laplacian }),
	}
	for d := range out.Gradient {
		out.Gradient[d] = pick(func(j Jet) *Node { return j.Gradient[d] })
	}
	affine := true
	for _, j := range jets {
		affine = affine && j.affine()
	}
	return out.mark(affine)
}

// Concatenate joins the functions of all jets, [..., B, w_i], to [..., B, Σ_i w_i].
func Concatenate(jets ...Jet) Jet {
	if len(jets) == 0 {
		panic(fmt.Errorf("jet.Concatenate: no jets"))
	}
	return across(func(axis int, jets ...Jet) Jet {
		return zip(func(x ...*Node) *Node { return graph.Concatenate(x, axis) }, jets...)
	}, jets...)
}

// dimsOf returns the D that all jets must share.
func dimsOf(jets ...Jet) int {
	for _, j := range jets {
		if j.Dims() != jets[0].Dims() {
			panic(fmt.Errorf("jets have %d and %d coordinates, want equal numbers", jets[0].Dims(), j.Dims()))
		}
	}
	return jets[0].Dims()
}

// unit returns 1 at index i of the last axis and 0 elsewhere, in the shape of x.
func unit(x *Node, i int) *Node {
	at := graph.BroadcastToShape(graph.Scalar(x.Graph(), x.DType(), i), x.Shape())
	return graph.ConvertDType(graph.Equal(graph.Iota(x.Graph(), x.Shape(), -1), at), x.DType())
}

// known holds properties of jets made by this package.
type known struct {
	// of lists the streams described. If the fields of the jet are set later, the properties no longer hold.
	of []*Node
	// affine is set if u is an affine function of the coordinates or a constant: its gradient is then the same at every
	// point of the batch and its Laplacian is zero.
	affine bool
	// exchanged is the same jet with streams [..., w, B], or nil if unknown. The products of [Dense] then transpose no
	// streams in reverse mode, only the small weights, which saves a quarter of a training step on a CPU. The unused
	// streams in the fields of [Jet] cost nothing.
	exchanged *Jet
}

func (j Jet) nodes() []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// mark returns j with affine as its only known property.
func (j Jet) mark(affine bool) Jet {
	j.known = known{of: j.nodes(), affine: affine}
	return j
}

func (j Jet) affine() bool { return j.known.affine && slices.Equal(j.known.of, j.nodes()) }

// fromExchanged returns the jet whose streams with exchanged axes are e.
func fromExchanged(e Jet) Jet {
	j := e.streams(func(x *Node) *Node { return graph.Transpose(x, -1, -2) }) // keeps affine
	j.known.exchanged = &e
	return j
}

// exchanged returns j with exchanged axes, if known.
func (j Jet) exchanged() (Jet, bool) {
	if j.known.exchanged == nil || !slices.Equal(j.known.of, j.nodes()) {
		return Jet{}, false
	}
	return *j.known.exchanged, true
}

// across applies an operation that treats all points alike. Its argument is the axis of the functions: −2 if all jets
// are known with exchanged axes, else −1.
func across(op func(axis int, jets ...Jet) Jet, jets ...Jet) Jet {
	exchanged := make([]Jet, len(jets))
	for i, j := range jets {
		e, ok := j.exchanged()
		if !ok {
			return op(-1, jets...)
		}
		exchanged[i] = e
	}
	return fromExchanged(op(-2, exchanged...))
}

// entrywise applies an elementwise operation, for which the order of axes does not matter.
func entrywise(j Jet, op func(j Jet) Jet) Jet {
	return across(func(_ int, jets ...Jet) Jet { return op(jets[0]) }, j)
}
