// Package operator computes Tf from f for matrices, kernels, Markov chains and Schrödinger operators.
//
// Its functions build graphs and, like GoMLX, panic if shapes do not fit.
package operator

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// GatherRows returns the rows of a table of function values for a batch of states:
//
//	rows[r, b] = table[r, index[r, b]].
//
// On a finite state space it replaces evaluating the functions on every sample by evaluating them once per state.
//
// table [R, N, k]; index [R, n] int32 in [0, N). Returns [R, n, k]. Rows of indices out of range are NaN, because a
// graph cannot return an error and training stops at NaN.
func GatherRows(table, index *Node) *Node {
	const where = "operator.GatherRows"
	requireShape(where, "the table", "[R, N, k]", table, some, some, some)
	runs, states := table.Shape().Dim(0), table.Shape().Dim(1)
	requireShape(where, "the index", "[R, n]", index, runs, some)
	if index.DType() != dtypes.Int32 {
		panic(fmt.Errorf("%s: the index is %s, want int32", where, index.DType()))
	}
	flat := Reshape(table, runs*states, table.Shape().Dim(2))
	offset := MulScalar(Iota(table.Graph(), shapes.Make(dtypes.Int32, index.Shape().Dimensions...), 0), int32(states))
	nearest, inside := nearestState(index, states)
	rows := Gather(flat, InsertAxes(Add(nearest, offset), -1))
	inside = BroadcastToShape(InsertAxes(inside, -1), rows.Shape())
	return Where(inside, rows, MulScalar(OnesLike(rows), math.NaN()))
}

// nearestState clamps indices to [0, states) and reports which were in range.
func nearestState(index *Node, states int) (nearest, inside *Node) {
	nearest = Max(ZerosLike(index), Min(index, AddScalar(ZerosLike(index), int32(states-1))))
	return nearest, Equal(nearest, index)
}
