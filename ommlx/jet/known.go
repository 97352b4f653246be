package jet

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// known is what the package remembers of the jets that it makes.
type known struct {
	// of are the streams that it is about: when somebody has set others since, it is not true any more.
	of []*Node
	// affine is set when u is an affine function of the coordinates, or a constant: its gradient is then the same at
	// every point of the batch and its Laplacian is zero, so that neither needs to be computed with.
	affine bool
	// exchanged is the same jet with streams [..., w, B], the points of the batch side by side in memory; nil if there
	// is none. The products of [Dense] then need no transposition of streams in reverse mode: the gradient of the
	// weights is a product of two matrices that lie as they are needed, and for that of the streams only the small
	// weights are transposed. On a CPU this takes a quarter off a training step. Layers and functions hand it on to
	// each other; the streams that are the fields of [Jet] cost nothing unless somebody reads them.
	exchanged *Jet
}

func (j Jet) nodes() []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// mark returns j with affine as the only thing that is known of it.
func (j Jet) mark(affine bool) Jet {
	j.known = known{of: j.nodes(), affine: affine}
	return j
}

func (j Jet) affine() bool { return j.known.affine && slices.Equal(j.known.of, j.nodes()) }

// fromExchanged is the jet whose streams with exchanged axes are those of e.
func fromExchanged(e Jet) Jet {
	j := e.streams(func(x *Node) *Node { return graph.Transpose(x, -1, -2) }) // hands on whether it is affine
	j.known.exchanged = &e
	return j
}

// exchanged returns j with exchanged axes, if it is known in that form.
func (j Jet) exchanged() (Jet, bool) {
	if j.known.exchanged == nil || !slices.Equal(j.known.of, j.nodes()) {
		return Jet{}, false
	}
	return *j.known.exchanged, true
}

// across applies an operation that treats all points alike. It is told which axis counts functions: −2 if all jets are
// known with exchanged axes, and else −1.
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

// entrywise applies an operation that acts on every entry alone, for which the order of axes does not matter.
func entrywise(j Jet, op func(j Jet) Jet) Jet {
	return across(func(_ int, jets ...Jet) Jet { return op(jets[0]) }, j)
}
