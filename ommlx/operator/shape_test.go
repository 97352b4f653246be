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

// TestShapesThatDoNotFit: what a user mixes up is named in one sentence, with the shape that it has and the one wanted.
func TestShapesThatDoNotFit(t *testing.T) {
	type dims = []int
	matrix := func(v, a *Node) *Node { return first(operator.Matrix(v, a)) }
	weighted := func(table, pairs *Node) *Node { return first(operator.Weighted(table, pairs)) }
	rows := func(table, index *Node) *Node { return operator.GatherRows(table, ConvertDType(index, dtypes.Int32)) }
	potential := func(v, x *Node) *Node { return operator.Hamiltonian{Potential: v}.Apply(jet.Inputs(x)) }
	weak := func(v, x *Node) *Node {
		return operator.Hamiltonian{Potential: v}.Weak(jet.Inputs(x), 1).Form[0].Right
	}
	density := func(u, x *Node) *Node {
		j, f := jet.Inputs(u), jet.Inputs(x)
		return operator.Hamiltonian{Potential: f.Column(0).Value, LogRoot: &j}.Apply(f)
	}
	for _, c := range []struct {
		says string
		of   func(x, y *Node) *Node
		in   []dims
	}{
		{"operator.Matrix: a has the shape [4 4]; it must be [N, N] for v [R, N, k], here [5, 5]",
			matrix, []dims{{1, 5, 2}, {4, 4}}},
		{"operator.Matrix: v has the shape [5 2]; it must be [R, N, k]",
			matrix, []dims{{5, 2}, {5, 5}}},
		{"operator.Matrix: a is nil; it must be [N, N]", func(v, _ *Node) *Node {
			return matrix(v, nil)
		}, []dims{{1, 5, 2}, {1}}},
		{"the pair law has the shape [1 5 4]; it must be [R, N, N] for a table [R, N, k], here [1, 5, 5]",
			weighted, []dims{{1, 5, 2}, {1, 5, 4}}},
		{"operator.Weighted: the pair law has the shape [5 5]", weighted, []dims{{1, 5, 2}, {5, 5}}},
		{"operator.GatherRows: the table has the shape [5 2]; it must be [R, N, k]",
			rows, []dims{{5, 2}, {1, 8}}},
		{"operator.GatherRows: the index has the shape [8]; it must be [R, n], here [1, any]",
			rows, []dims{{1, 5, 2}, {8}}},
		{"operator.GatherRows: the index has the shape [2 8]", rows, []dims{{1, 5, 2}, {2, 8}}},
		{"operator.GatherRows: the index is Float32; convert it to int32",
			operator.GatherRows, []dims{{1, 5, 2}, {1, 8}}},
		{"operator.Kernel: the Gram matrix has the shape [1 7 7]; it must be [R, B, B] for f [R, B, k], here [1, 8, 8]",
			operator.Kernel, []dims{{1, 7, 7}, {1, 8, 2}}},
		{"operator.Kernel: f has the shape [8 2]; it must be [R, B, k]", operator.Kernel, []dims{{1, 8, 8}, {8, 2}}},
		{"operator.Kernel: the batch has 1 samples; at least 2 are needed",
			operator.Kernel, []dims{{1, 1, 1}, {1, 1, 2}}},
		{"the potential has the shape [1 8] and the functions have [1 8 2]; it must be [..., B, 1]",
			potential, []dims{{1, 8}, {1, 8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [8 2] and", potential, []dims{{8, 2}, {8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [1 2] and",
			potential, []dims{{1, 2}, {2, 2}}}, // would be broadcast
		{"operator.Hamiltonian: the potential has the shape [3 8 1] and",
			potential, []dims{{3, 8, 1}, {2, 8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [8] and", weak, []dims{{8}, {1, 8, 2}}},
		{"operator.Hamiltonian: the potential is nil; give its values at the points, [..., B, 1]",
			func(x, _ *Node) *Node {
				return operator.Hamiltonian{}.Inverse(jet.Inputs(x), 1, 0).F
			}, []dims{{8, 2}, {1}}},
		{"operator.Hamiltonian: the Laplacian of log √ρ has the shape [8 2] and",
			density, []dims{{8, 2}, {8, 2}}},
		{"operator.Hamiltonian: log √ρ has derivatives in dimension 1 and the functions have them in dimension 2",
			density, []dims{{8, 1}, {8, 2}}},
	} {
		var in []any
		for _, d := range c.in {
			in = append(in, tensors.FromShape(shapes.Make(dtypes.Float32, d...)))
		}
		_, err := testkit.CompiledOn(t, testkit.PureGo(t), func(in []*Node) []*Node {
			return []*Node{c.of(in[0], in[1])}
		}).Call(in...)
		assert.ErrorContains(t, err, c.says)
	}
}
