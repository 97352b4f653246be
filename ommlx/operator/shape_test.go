package operator_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/operator"
)

// TestShapesThatDoNotFit: what a user mixes up is named in one sentence, with the shape that it has and the one wanted.
func TestShapesThatDoNotFit(t *testing.T) {
	type dims = []int
	one := func(f func(x *Node) *Node) func(in []*Node) []*Node {
		return func(in []*Node) []*Node { return []*Node{f(in[0])} }
	}
	two := func(f func(x, y *Node) (*Node, *Node)) func(in []*Node) []*Node {
		return func(in []*Node) []*Node {
			x, y := f(in[0], in[1])
			return []*Node{x, y}
		}
	}
	rows := func(table, index *Node) (*Node, *Node) {
		return operator.GatherRows(table, ConvertDType(index, dtypes.Int32)), table
	}
	kernel := func(gram, f *Node) (*Node, *Node) { return operator.Kernel(gram, f), f }
	pairs := func(episodes, uniform *Node) (*Node, *Node) {
		return operator.SamplePairs(ConvertDType(episodes, dtypes.Int32), uniform, 0.9)
	}
	views := func(first, second *Node) (*Node, *Node) {
		b := operator.CDK(first, second, ommlx.UnitNorm)
		return b.F, b.TF
	}
	states := func(episodes, uniform *Node) (*Node, *Node) {
		return operator.SampleStates(ConvertDType(episodes, dtypes.Int32), uniform), uniform
	}
	potential := func(v, x *Node) (*Node, *Node) {
		f := jet.Inputs(x)
		return operator.Hamiltonian{Potential: v}.Apply(f), x
	}
	weak := func(v, x *Node) (*Node, *Node) {
		return operator.Hamiltonian{Potential: v}.Weak(jet.Inputs(x), 1).Form[0].Right, x
	}
	density := func(u, x *Node) (*Node, *Node) {
		j := jet.Inputs(u)
		f := jet.Inputs(x)
		return operator.Hamiltonian{Potential: f.Column(0).Value, LogRoot: &j}.Apply(f), x
	}
	for _, c := range []struct {
		says string
		of   func(in []*Node) []*Node
		in   []dims
	}{
		{"operator.Matrix: a has the shape [4 4]; it must be [N, N] for v [R, N, k], here [5, 5]",
			two(operator.Matrix), []dims{{1, 5, 2}, {4, 4}}},
		{"operator.Matrix: v has the shape [5 2]; it must be [R, N, k]",
			two(operator.Matrix), []dims{{5, 2}, {5, 5}}},
		{"operator.Matrix: a is nil; it must be [N, N]", one(func(v *Node) *Node {
			f, _ := operator.Matrix(v, nil)
			return f
		}), []dims{{1, 5, 2}}},
		{"the pair law has the shape [1 5 4]; it must be [R, N, N] for a table [R, N, k], here [1, 5, 5]",
			two(operator.Weighted), []dims{{1, 5, 2}, {1, 5, 4}}},
		{"operator.Weighted: the pair law has the shape [5 5]", two(operator.Weighted), []dims{{1, 5, 2}, {5, 5}}},
		{"operator.GatherRows: the table has the shape [5 2]; it must be [R, N, k]",
			two(rows), []dims{{5, 2}, {1, 8}}},
		{"operator.GatherRows: the index has the shape [8]; it must be [R, n], here [1, any]",
			two(rows), []dims{{1, 5, 2}, {8}}},
		{"operator.GatherRows: the index has the shape [2 8]", two(rows), []dims{{1, 5, 2}, {2, 8}}},
		{"operator.GatherRows: the index is Float32; convert it to int32",
			two(func(table, index *Node) (*Node, *Node) {
				return operator.GatherRows(table, index), table
			}), []dims{{1, 5, 2}, {1, 8}}},
		{"operator.Kernel: the Gram matrix has the shape [1 7 7]; it must be [R, B, B] for f [R, B, k], here [1, 8, 8]",
			two(kernel), []dims{{1, 7, 7}, {1, 8, 2}}},
		{"operator.Kernel: f has the shape [8 2]; it must be [R, B, k]", two(kernel), []dims{{1, 8, 8}, {8, 2}}},
		{"operator.Kernel: the batch has 1 samples; at least 2 are needed",
			two(kernel), []dims{{1, 1, 1}, {1, 1, 2}}},
		{"operator.CDK: the second view has the shape [1 7 2]; it must be that of the first, here [1, 8, 2]",
			two(views), []dims{{1, 8, 2}, {1, 7, 2}}},
		{"operator.CDK: the first view has the shape [8 2]; it must be [R, B, k]", two(views), []dims{{8, 2}, {8, 2}}},
		{"operator.SamplePairs: episodes has the shape [3 9]; it must be [R, E, L+1]",
			two(pairs), []dims{{3, 9}, {1, 8, 3}}},
		{"operator.SamplePairs: uniform has the shape [1 8 2]; it must be [R, B, 3], here [1, any, 3]",
			two(pairs), []dims{{1, 3, 9}, {1, 8, 2}}},
		{"operator.SamplePairs: the episodes have 1 states; a pair needs at least 2",
			two(pairs), []dims{{1, 3, 1}, {1, 8, 3}}},
		{"operator.SampleStates: uniform has the shape [8 2]; it must be [R, B, 2]",
			two(states), []dims{{1, 3, 9}, {8, 2}}},
		{"the potential has the shape [1 8] and the functions have [1 8 2]; it must be [..., B, 1]",
			two(potential), []dims{{1, 8}, {1, 8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [8 2] and", two(potential), []dims{{8, 2}, {8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [1 2] and",
			two(potential), []dims{{1, 2}, {2, 2}}}, // would be broadcast
		{"operator.Hamiltonian: the potential has the shape [3 8 1] and",
			two(potential), []dims{{3, 8, 1}, {2, 8, 2}}},
		{"operator.Hamiltonian: the potential has the shape [8] and", two(weak), []dims{{8}, {1, 8, 2}}},
		{"operator.Hamiltonian: the potential is nil; give its values at the points, [..., B, 1]",
			one(func(x *Node) *Node { return operator.Hamiltonian{}.Inverse(jet.Inputs(x), 1, 0).F }), []dims{{8, 2}}},
		{"operator.Hamiltonian: the Laplacian of log √ρ has the shape [8 2] and",
			two(density), []dims{{8, 2}, {8, 2}}},
		{"operator.Hamiltonian: log √ρ has derivatives in dimension 1 and the functions have them in dimension 2",
			two(density), []dims{{8, 1}, {8, 2}}},
	} {
		var in []any
		for _, d := range c.in {
			in = append(in, tensors.FromShape(shapes.Make(dtypes.Float32, d...)))
		}
		_, err := graphtest.Compiled(t, c.of).Call(in...)
		assert.ErrorContains(t, err, c.says)
	}
}
