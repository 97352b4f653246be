// Package operator says how (Tf)(x) follows from f(x) for the operators that are decomposed.
//
// Its functions build graphs, and panic as GoMLX does when shapes do not fit, with one sentence.
package operator

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// GatherRows returns the rows of a table of function values that belong to a batch of states:
//
//	rows[r, b] = table[r, index[r, b]].
//
// On a finite state space it stands for evaluating the functions on every sample: they are evaluated once for each
// state, and value and gradient of a loss on the rows are the same.
//
// table [R, N, k]; index [R, n] int32 in [0, N). Returns [R, n, k]. The row of an index that is out of range, as of an
// edge to a node that does not exist, is NaN: a graph cannot return an error, and a training stops at NaN.
func GatherRows(table, index *Node) *Node {
	const where = "operator.GatherRows"
	requireShape(where, "the table", "[R, N, k]", table, some, some, some)
	runs, states := table.Shape().Dim(0), table.Shape().Dim(1)
	requireShape(where, "the index", "[R, n]", index, runs, some)
	if index.DType() != dtypes.Int32 {
		panic(fmt.Errorf("%s: the index is %s; convert it to int32", where, index.DType()))
	}
	flat := Reshape(table, runs*states, table.Shape().Dim(2))
	offset := MulScalar(Iota(table.Graph(), shapes.Make(dtypes.Int32, index.Shape().Dimensions...), 0), int32(states))
	nearest, inside := nearestState(index, states)
	rows := Gather(flat, InsertAxes(Add(nearest, offset), -1))
	inside = BroadcastToShape(InsertAxes(inside, -1), rows.Shape())
	return Where(inside, rows, MulScalar(OnesLike(rows), math.NaN()))
}

// nearestState moves each number of a state into 0 … states − 1, and says which were there.
func nearestState(index *Node, states int) (nearest, inside *Node) {
	nearest = Max(ZerosLike(index), Min(index, AddScalar(ZerosLike(index), int32(states-1))))
	return nearest, Equal(nearest, index)
}
