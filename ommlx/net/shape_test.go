package net_test

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
)

// TestInputsAndParametersThatDoNotFit: the sentence names the network's In and the shape of what it was given.
func TestInputsAndParametersThatDoNotFit(t *testing.T) {
	mlp, disjoint := net.MLP{In: 3, Hidden: []int{4}, Out: 2}, net.Disjoint{In: 3, Hidden: []int{4}, Out: 2}
	fourier := net.Fourier{Dims: 3, Frequencies: 5, Scales: []float64{1}}
	apply := map[string]func(params []*Node, x *Node) *Node{
		"net.MLP":      mlp.Apply,
		"net.Disjoint": func(params []*Node, x *Node) *Node { return disjoint.Apply(params, jet.Inputs(x)).Value },
		"net.Fourier":  func(params []*Node, x *Node) *Node { return fourier.Apply(params[0], jet.Inputs(x)).Value },
	}
	seeds := []int64{1, 2}
	params := map[string][]*tensors.Tensor{
		"net.MLP": mlp.Init(seeds), "net.Disjoint": disjoint.Init(seeds), "net.Fourier": {fourier.Init(seeds)},
	}
	complaint := func(name string, params []*tensors.Tensor, dims ...int) string {
		exec := graphtest.Compiled(t, func(in []*Node) []*Node {
			return []*Node{apply[name](in[:len(in)-1], in[len(in)-1])}
		})
		var in []any
		for _, p := range params {
			in = append(in, p)
		}
		_, err := exec.Exec(append(in, tensors.FromShape(shapes.Make(dtypes.Float32, dims...)))...)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for name, p := range params {
		assert.Empty(t, complaint(name, p, 6, 3))
		assert.Empty(t, complaint(name, p, 2, 6, 3))
		for says, dims := range map[string][]int{
			"[6 2]; give [B, 3] or [2, B, 3]":     {6, 2},
			"[2 6 4]; give [B, 3] or [2, B, 3]":   {2, 6, 4},
			"[5 6 3]; give [B, 3] or [2, B, 3]":   {5, 6, 3}, // another number of runs
			"[1 2 6 3]; give [B, 3] or [2, B, 3]": {1, 2, 6, 3},
			"[2 6 4 4]; give [B, 3] or [2, B, 3]": {2, 6, 4, 4},
		} {
			assert.Contains(t, complaint(name, p, dims...),
				name+" takes 3 numbers for each sample, but the inputs have the shape "+says)
		}
		other := slices.Clone(p)
		other[0] = tensors.FromShape(shapes.Make(dtypes.Float32, 2, 7, 3))
		if name == "net.Disjoint" {
			other[0] = tensors.FromShape(shapes.Make(dtypes.Float32, 2, 2, 7, 3))
		}
		assert.Contains(t, complaint(name, other, 6, 3), name+": parameter 0 has the shape [2 ")
		assert.Contains(t, complaint(name, other, 6, 3), "] behind the axis of runs")
	}
	for _, name := range []string{"net.MLP", "net.Disjoint"} {
		assert.Contains(t, complaint(name, params[name][:2], 6, 3), name+" takes 4 parameters with these fields, got 2")
	}
	mixed := append(slices.Clone(params["net.MLP"][:1]), mlp.Init(seeds[:1])[1:]...) // of two runs and of one
	assert.Contains(t, complaint("net.MLP", mixed, 6, 3), "parameter 1 has the shape [1 4]; it must be [4] behind")
}
