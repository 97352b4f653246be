package operator_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/operator"
)

func first(x, _ *Node) *Node { return x }

// TestErrorsNameTheArgument: the error names the function or the argument that does not fit.
func TestErrorsNameTheArgument(t *testing.T) {
	type dims = []int
	matrix := func(v, a *Node) *Node { return first(operator.Matrix(v, a)) }
	weighted := func(table, pairs *Node) *Node { return first(operator.Weighted(table, pairs)) }
	rows := func(table, index *Node) *Node { return operator.GatherRows(table, ConvertDType(index, dtypes.Int32)) }
	sparse := func(f, values *Node) *Node {
		at := Iota(f.Graph(), shapes.Make(dtypes.Int32, 3), 0)
		return operator.Sparse(f, at, at, values)
	}
	potential := func(v, x *Node) *Node { return operator.Hamiltonian{Potential: v}.Apply(jet.Inputs(x)) }
	density := func(u, x *Node) *Node {
		j, f := jet.Inputs(u), jet.Inputs(x)
		return operator.Hamiltonian{Potential: f.Column(0).Value, LogRoot: &j}.Apply(f)
	}
	for _, c := range []struct {
		names string
		of    func(x, y *Node) *Node
		x, y  dims
	}{
		{"operator.Matrix: a", matrix, dims{1, 5, 2}, dims{4, 4}},
		{"operator.Matrix: v", matrix, dims{5, 2}, dims{5, 5}},
		{"pair law", weighted, dims{1, 5, 2}, dims{1, 5, 4}},
		{"operator.Weighted", weighted, dims{1, 5, 2}, dims{5, 5}},
		{"table", rows, dims{5, 2}, dims{1, 8}},
		{"index", rows, dims{1, 5, 2}, dims{8}},
		{"index", rows, dims{1, 5, 2}, dims{2, 8}},
		{"Float32", operator.GatherRows, dims{1, 5, 2}, dims{1, 8}},
		{"operator.Sparse: f", sparse, dims{5, 2}, dims{3}},
		{"operator.Sparse: rows", sparse, dims{1, 5, 2}, dims{3, 1}},
		{"Gram", operator.Kernel, dims{1, 7, 7}, dims{1, 8, 2}},
		{"operator.Kernel: f", operator.Kernel, dims{1, 8, 8}, dims{8, 2}},
		{"operator.Kernel", operator.Kernel, dims{1, 1, 1}, dims{1, 1, 2}},
		{"potential", potential, dims{1, 8}, dims{1, 8, 2}},
		{"potential", potential, dims{8, 2}, dims{8, 2}},
		{"potential", potential, dims{1, 2}, dims{2, 2}}, // would be broadcast
		{"potential", potential, dims{3, 8, 1}, dims{2, 8, 2}},
		{"log √ρ", density, dims{8, 2}, dims{8, 2}},
		{"dimension 1", density, dims{8, 1}, dims{8, 2}},
	} {
		zeros := func(d dims) any { return tensors.FromShape(shapes.Make(dtypes.Float32, d...)) }
		_, err := testkit.Compile(t, func(in []*Node) []*Node {
			return []*Node{c.of(in[0], in[1])}
		}).Try(zeros(c.x), zeros(c.y))
		assert.ErrorContains(t, err, c.names)
	}
}
