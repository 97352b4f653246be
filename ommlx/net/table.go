package net

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/operator"
)

// Table is k functions on a finite set of N states, or k columns of a matrix with N rows, that are trained as they
// stand, without a network.
//
// The numbers start small and random. A start at zero would stay there: losses of second moments are even in f, so
// their gradient vanishes at f = 0.
type Table struct {
	States int // N
	Out    int // k, the number of functions
	// Scale is the standard deviation of the numbers at the start: about the norm of a function, as a mean over states.
	// A column of [operator.Matrix] has about the length Scale·√N, and 0.1 to 1 are good lengths.
	Scale float64
}

// Validate returns an error that names the field that does not fit.
func (t Table) Validate() error {
	if t.Out < 1 || t.Out > t.States {
		return fmt.Errorf("table: %d functions on %d states; there must be at least 1, and no more than states",
			t.Out, t.States)
	}
	if !(t.Scale > 0) || math.IsInf(t.Scale, 0) {
		return fmt.Errorf("table: the scale is %g; it must be positive and finite, since a start at 0 has no gradient",
			t.Scale)
	}
	return nil
}

func (t Table) weights() []tensorx.Weight {
	return []tensorx.Weight{tensorx.Normal(t.Scale, t.States, t.Out)}
}

// Init draws the numbers of len(seeds) runs, one tensor [R, N, k] in float32, normal with standard deviation Scale. Run
// r depends only on seeds[r].
func (t Table) Init(seeds []int64) []*tensors.Tensor {
	return tensorx.Draw(t.weights(), seeds, 0x7ab1e)
}

// Apply returns the functions at states, int32, [B] (the same for every run) or [R, B], or at points [R, B, 1] whose
// coordinate is the number of the state: [R, B, k], by [operator.GatherRows]. It is NaN at points that are no state.
// states nil stands for all of them in order, [R, N, k]. It panics when shapes do not fit.
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

// numbers converts points [R, B, 1] to numbers of states, int32 [R, B]. Points that are no state become −1.
func (t Table) numbers(x *Node) *Node {
	if x.Rank() == 0 || x.Shape().Dim(-1) != 1 {
		panic(fmt.Errorf("net.Table: points have the shape %s; give one column, the number of the state", x.Shape()))
	}
	x = Squeeze(x, -1)
	exists := And(Equal(x, Floor(x)), And(GreaterOrEqual(x, ZerosLike(x)),
		LessThan(x, MulScalar(OnesLike(x), float64(t.States)))))
	return ConvertDType(Where(exists, x, Neg(OnesLike(x))), dtypes.Int32)
}

// mostPoints is how many states differ as points, which are float32.
const mostPoints = 1 << 24

// CheckStates returns an error unless points, N×1, are numbers of states.
func (t Table) CheckStates(points mat.Matrix) error {
	n, d := points.Dims()
	if d != 1 {
		return fmt.Errorf("%d columns; a table takes one, the number of the state", d)
	}
	if t.States > mostPoints {
		return fmt.Errorf("a table of %d states; as points at most %d are distinct", t.States, mostPoints)
	}
	for i := range n {
		if v := points.At(i, 0); v != math.Trunc(v) || !(v >= 0 && v < float64(t.States)) {
			return fmt.Errorf("row %d is %v; states are 0 to %d", i, v, t.States-1)
		}
	}
	return nil
}
