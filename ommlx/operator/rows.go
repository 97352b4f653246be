// Package operator says how (Tf)(x) follows from f(x) for the operators that are decomposed.
package operator

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// OnRows evaluates a loss on rows of a table of function values, that is, on a batch of states of a finite
// state space whose functions were evaluated once for each state:
//
//	loss = L(F[index]),   dloss/dF = Sᵀ dL,   S_{bs} = 1 if index_b = s, else 0.
//
// Value and gradient are those of evaluating the functions on every sample of the batch. The gradient is a
// product with the one-hot matrix S instead of GoMLX's scatter, which XLA on a CPU runs as a loop over the
// samples.
//
// table [R, N, k]; index [R, n] int32 in [0, N); loss maps rows [R, n, k] to [R]. Returns [R].
func OnRows(table, index *Node, loss func(rows *Node) *Node) *Node {
	rows := GatherRows(StopGradient(table), index)
	value := loss(rows)
	adjoint := Gradient(ReduceAllSum(value), rows)[0] // [R, n, k]
	oneHot := OneHot(index, table.Shape().Dim(1), table.DType())
	pulled := DotGeneral(oneHot, []int{1}, []int{0}, adjoint, []int{1}, []int{0}) // Sᵀ dL, [R, N, k]
	surrogate := ReduceSum(Mul(table, StopGradient(pulled)), 1, 2)
	return Add(StopGradient(value), Sub(surrogate, StopGradient(surrogate)))
}

// GatherRows returns table[r, index[r, b]] for every run r: table [R, N, k], index [R, n] int32 → [R, n, k].
func GatherRows(table, index *Node) *Node {
	runs, states := table.Shape().Dim(0), table.Shape().Dim(1)
	flat := Reshape(table, runs*states, table.Shape().Dim(2))
	offset := MulScalar(Iota(table.Graph(), shapes.Make(dtypes.Int32, index.Shape().Dimensions...), 0), int32(states))
	return Gather(flat, InsertAxes(Add(index, offset), -1))
}
