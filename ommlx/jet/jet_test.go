package jet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// TestKnownPropertiesDoNotChangeResults: known properties of a jet change no result, and are dropped if a field is set.
func TestKnownPropertiesDoNotChangeResults(t *testing.T) {
	rng := newRand()
	args := append(parameters(rng, 3), normal(rng, 1, points, dims))
	last := len(args) - 1
	got := testkit.Compile(t, func(in []*Node) []*Node {
		known := jet.Inputs(in[last])
		bare := func(j jet.Jet) jet.Jet { return jet.Jet{Value: j.Value, Gradient: j.Gradient, Laplacian: j.Laplacian} }
		h := jet.Sin(jet.Dense(known, in[0], nil))
		set := h
		set.Value = AddScalar(h.Value, 1.)
		set.Gradient = slices.Clone(h.Gradient)
		set.Gradient[0] = MulScalar(h.Gradient[0], 2.)
		curved := known // no longer coordinates: u_d = x_d², with only the fields set
		curved.Value = Square(known.Value)
		curved.Gradient = slices.Clone(known.Gradient)
		for d, g := range known.Gradient {
			curved.Gradient[d] = Mul(g, MulScalar(known.Value, 2.))
		}
		curved.Laplacian = AddScalar(known.Laplacian, 2.)
		return slices.Concat(
			streams(network(in[:last], known)), streams(network(in[:last], bare(known))),
			streams(jet.Exp(set)), streams(jet.Exp(bare(set))),
			streams(network(in[:last], curved)), streams(network(in[:last], jet.Mul(known, known))))
	}).Numbers(t, args)
	const n = dims + 2
	for i := range 3 {
		for s := range n {
			assertClose(t, got[(2*i+1)*n+s], got[2*i*n+s], 1e-13, "case ", i, ", stream ", s)
		}
	}
}

// TestShapesAreAligned: a mask [B, 1] and a function [B, w] of each of M networks, products in either order.
func TestShapesAreAligned(t *testing.T) {
	rng := newRand()
	x, w := normal(rng, 1, 4, 2), normal(rng, 1, 3, 2, 2)
	got := testkit.Compile(t, func(in []*Node) []*Node {
		j := jet.Inputs(in[0])
		f := jet.Sin(jet.Dense(j, in[1], nil))                  // [3, 4, 2]
		mask := jet.Shift(jet.Mul(j.Column(0), j.Column(1)), 1) // [4, 1]
		wide := mask.Map(func(x *Node) *Node { return BroadcastToDims(InsertAxes(x, 0), 3, 4, 2) })
		require.Equal(t, []int{3, 4, 2}, jet.Mul(mask, f).Laplacian.Shape().Dimensions)
		return slices.Concat(
			streams(jet.Mul(wide, f)), streams(jet.Mul(mask, f)), streams(jet.Mul(f, mask)),
			streams(jet.Add(wide, f)), streams(jet.Add(mask, f)), streams(jet.Add(f, mask)))
	}).Numbers(t, x, w)
	const n = 4
	for group := range 2 {
		for other := 1; other < 3; other++ {
			for s := range n {
				assertClose(t, got[group*3*n+s], got[(group*3+other)*n+s], 1e-14)
			}
		}
	}
}

func TestErrorsNameTheArgument(t *testing.T) {
	x, y := normal(newRand(), 1, 4, 2), normal(newRand(), 1, 3)
	for _, c := range []struct {
		names string
		of    func(x, y *Node) *Node
	}{
		{"jet.Inputs", func(_, y *Node) *Node { return jet.Inputs(y).Value }},
		{"2 and 3", func(x, _ *Node) *Node { return jet.Add(jet.Constant(x, 2), jet.Constant(x, 3)).Value }},
		{"jet.Concatenate", func(_, _ *Node) *Node { return jet.Concatenate().Value }},
		{"jet.Dense", func(x, y *Node) *Node { return jet.Dense(jet.Inputs(x), InsertAxes(y, 0), nil).Value }},
		{"bias", func(x, y *Node) *Node { return jet.Dense(jet.Inputs(x), x, y).Value }},
		{"jet.Standardise", func(x, _ *Node) *Node {
			return jet.Standardise(jet.Inputs(x), make([]float64, 2), make([]float64, 3)).Value
		}},
	} {
		exec := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{c.of(in[0], in[1])} })
		_, err := exec.Try(x, y)
		assert.ErrorContains(t, err, c.names)
	}
}

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

func normal(rng *rand.Rand, scale float64, dims ...int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(testkit.Gaussian(rng, dims...).Scaled(scale).Data, dims...)
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(11, 4)) }

// assertClose compares relative to the largest entry.
func assertClose(t *testing.T, want, got []float64, tolerance float64, about ...any) {
	t.Helper()
	require.Len(t, got, len(want))
	require.False(t, floats.HasNaN(want), fmt.Sprint(about...)) // InDelta accepts two NaN as equal
	largest := max(1, floats.Norm(want, math.Inf(1)))
	assert.InDeltaSlice(t, want, got, tolerance*largest, fmt.Sprint(about...))
}
