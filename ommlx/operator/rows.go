// Package operator says how (Tf)(x) follows from f(x) for the operators that are decomposed.
package operator

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// GatherRows returns the rows of a table of function values that belong to a batch of states:
//
//	rows[r, b] = table[r, index[r, b]].
//
// On a finite state space it stands for evaluating the functions on every sample: they are evaluated once for each state,
// and value and gradient of a loss on the rows are the same.
//
// table [R, N, k]; index [R, n] int32 in [0, N). Returns [R, n, k].
func GatherRows(table, index *Node) *Node {
	runs, states := table.Shape().Dim(0), table.Shape().Dim(1)
	flat := Reshape(table, runs*states, table.Shape().Dim(2))
	offset := MulScalar(Iota(table.Graph(), shapes.Make(dtypes.Int32, index.Shape().Dimensions...), 0), int32(states))
	return Gather(flat, InsertAxes(Add(index, offset), -1))
}
