package jet_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// TestKnownPropertiesDoNotChangeResults: known properties of a jet change no result, and are dropped if a field is set.
func TestKnownPropertiesDoNotChangeResults(t *testing.T) {
	rng := testkit.NewRand(11)
	args := append(parameters(rng, 3), testkit.Gaussian(rng, points, dims))
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
	}).Call(t, args)
	const n = dims + 2
	for i := range 3 {
		testkit.RequireAllClose(t, got[(2*i+1)*n:(2*i+2)*n], got[2*i*n:(2*i+1)*n], 1e-13, fmt.Sprint("case ", i))
	}
}

// TestShapesAreAligned: a mask [B, 1] and a function [B, w] of each of M networks, products in either order.
func TestShapesAreAligned(t *testing.T) {
	rng := testkit.NewRand(11)
	x, w := testkit.Gaussian(rng, 4, 2), testkit.Gaussian(rng, 3, 2, 2)
	got := testkit.Compile(t, func(in []*Node) []*Node {
		j := jet.Inputs(in[0])
		f := jet.Sin(jet.Dense(j, in[1], nil))                  // [3, 4, 2]
		mask := jet.Shift(jet.Mul(j.Column(0), j.Column(1)), 1) // [4, 1]
		wide := mask.Map(func(x *Node) *Node { return BroadcastToDims(InsertAxes(x, 0), 3, 4, 2) })
		return slices.Concat(
			streams(jet.Mul(wide, f)), streams(jet.Mul(mask, f)), streams(jet.Mul(f, mask)),
			streams(jet.Add(wide, f)), streams(jet.Add(mask, f)), streams(jet.Add(f, mask)))
	}).Call(t, x, w)
	all := slices.Collect(slices.Chunk(got, 4))
	for i, j := range all {
		testkit.RequireAllClose(t, all[i/3*3], j, 1e-14, fmt.Sprint("case ", i))
	}
}

func TestErrorsNameTheArgument(t *testing.T) {
	x, y := testkit.NewArray(4, 2), testkit.NewArray(3)
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
