package operator

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Sparse returns Af for a sparse matrix A, given by a list of its nonzero entries,
//
//	(Af)[r, i] = Σ_e {rows[e] = i} values[e] f[r, columns[e]].
//
// f [R, N, k]; rows and columns [E] int32 in [0, N), values [E], the same for every run. Entries listed twice are
// added. Returns [R, N, k]. Time is proportional to R·E·k. An entry outside the matrix gives NaN in the nearest row,
// because a graph cannot return an error and training stops at NaN.
func Sparse(f, rows, columns, values *Node) *Node {
	requireShape("operator.Sparse", "f", "[R, N, k]", f, some, some, some)
	if rows.Rank() != 1 || !rows.Shape().Equal(columns.Shape()) ||
		values.Rank() != 1 || values.Shape().Dim(0) != rows.Shape().Dim(0) {
		panic(fmt.Errorf("operator.Sparse: rows are %s, columns %s and values %s, want [E] for each",
			rows.Shape(), columns.Shape(), values.Shape()))
	}
	runs, states, k, entries := f.Shape().Dim(0), f.Shape().Dim(1), f.Shape().Dim(2), rows.Shape().Dim(0)
	rows, inside := nearestState(rows, states) // out of range would be a row of another run
	values = Where(inside, values, MulScalar(OnesLike(values), math.NaN()))
	terms := Mul(GatherRows(f, BroadcastPrefix(columns, runs)),
		BroadcastToDims(Reshape(values, 1, entries, 1), runs, entries, k))
	at := BroadcastPrefix(rows, runs)
	at = Add(at, MulScalar(Iota(f.Graph(), at.Shape(), 0), int32(states)))
	flat := ZerosLike(Reshape(f, runs*states, k))
	sum := ScatterSum(flat, Reshape(at, runs*entries, 1), Reshape(terms, runs*entries, k), false, false)
	return Reshape(sum, runs, states, k)
}
