package net

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/operator"
)

// Table is k functions on N states, or k columns of a matrix with N rows, trained directly without a network.
//
// The initial entries are random, not zero: losses of second moments are even in f, so their gradient vanishes at f =
// 0.
type Table struct {
	States int // N
	Out    int // k, the number of functions
	// Scale is the standard deviation of the initial entries, about the root mean square of a function over the states.
	// For [operator.Matrix] a column has about the length Scale·√N; 0.1 to 1 are good lengths.
	Scale float64
}

// Validate returns an error that names an invalid field.
func (t Table) Validate() error {
	if t.Out < 1 || t.Out > t.States {
		return fmt.Errorf("table: got %d functions, want 1 to %d, the number of states", t.Out, t.States)
	}
	if !(t.Scale > 0) || math.IsInf(t.Scale, 0) {
		return fmt.Errorf("table: scale is %g, want positive and finite", t.Scale)
	}
	return nil
}

func (t Table) weights() []tensorx.Weight {
	return []tensorx.Weight{tensorx.Normal(t.Scale, t.States, t.Out)}
}

// Init draws the entries of len(seeds) runs, one tensor [R, N, k] in float32, normal with standard deviation Scale. Run
// r depends only on seeds[r].
func (t Table) Init(seeds []int64) []*tensors.Tensor {
	return tensorx.Draw(t.weights(), seeds, 0x7ab1e)
}

// Apply returns the functions [R, B, k] at states, int32 [B] (the same for every run) or [R, B], or state numbers as
// float points [R, B, 1]. The result is NaN at invalid states. With nil states it returns all states in order, [R, N,
// k]. It panics if shapes do not fit.
func (t Table) Apply(params []*Node, states *Node) *Node {
	requireParams("Table", params, t.weights())
	if states == nil {
		return params[0]
	}
	if states.DType().IsFloat() {
		states = t.numbers(states)
	}
	if states.Rank() == 1 {
		states = BroadcastPrefix(states, params[0].Shape().Dim(0))
	}
	return operator.GatherRows(params[0], states)
}

// numbers converts points [R, B, 1] to state numbers, int32 [R, B], with −1 for invalid states.
func (t Table) numbers(x *Node) *Node {
	if x.Rank() == 0 || x.Shape().Dim(-1) != 1 {
		panic(fmt.Errorf("net.Table: points are %s, want [R, B, 1]", x.Shape()))
	}
	x = Squeeze(x, -1)
	exists := And(Equal(x, Floor(x)), And(GreaterOrEqual(x, ZerosLike(x)),
		LessThan(x, MulScalar(OnesLike(x), float64(t.States)))))
	return ConvertDType(Where(exists, x, Neg(OnesLike(x))), dtypes.Int32)
}

// mostPoints is the number of states that float32 points can distinguish.
const mostPoints = 1 << 24

// CheckStates returns an error unless points, N×1, are state numbers.
func (t Table) CheckStates(points mat.Matrix) error {
	if _, d := points.Dims(); d != 1 {
		return fmt.Errorf("table: points have %d columns, want 1 of state numbers", d)
	}
	if t.States > mostPoints {
		return fmt.Errorf("table: got %d states, want at most %d, the limit of float32 points", t.States, mostPoints)
	}
	isNone := func(v float64) bool { return v != math.Trunc(v) || !(v >= 0 && v < float64(t.States)) }
	if i, _, found := linalg.Find(points, isNone); found {
		return fmt.Errorf("table: row %d is %v, want an integer in [0, %d)", i, points.At(i, 0), t.States)
	}
	return nil
}

// DividedTable is a table whose functions are divided, at each state, by a fixed number.
type DividedTable struct {
	Table
	Divisors []float64 // N, positive
}

// Apply returns the functions at states, as [Table.Apply] does.
func (t DividedTable) Apply(params []*Node, states *Node) *Node {
	f := t.Table.Apply(params, states)
	column := Table{States: t.States, Out: 1, Scale: 1}
	divisors := Reshape(ConstAs(params[0], t.Divisors), 1, t.States, 1)
	divisors = BroadcastToDims(divisors, params[0].Shape().Dim(0), t.States, 1)
	return Div(f, BroadcastToShape(column.Apply([]*Node{divisors}, states), f.Shape()))
}
