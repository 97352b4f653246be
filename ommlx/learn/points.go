package learn

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
)

// kind is what points of an operator are called.
type kind struct{ one, many string }

var (
	ofPoints  = kind{"point", "points"}
	ofSamples = kind{"sample", "samples"}
	ofStarts  = kind{"start", "starts of pairs"}
	ofEnds    = kind{"end", "ends of pairs"}
	ofNodes   = kind{"node", "features of nodes"}
)

// maxStates is how many states can be told apart as points, which are float32.
const maxStates = 1 << 24

// check returns an error when there are no points, or a coordinate is not finite as the float32 that it becomes, or,
// where f is a table, a point is not the number of a state.
func (what kind) check(points mat.Matrix, f Functions) error {
	if points == nil {
		return fmt.Errorf("no %s are given; give N×D coordinates", what.many)
	}
	n, d := points.Dims()
	table, numbered := f.(net.Table)
	switch {
	case n == 0 || d == 0:
		return fmt.Errorf("the %s are %d×%d; give N×D coordinates", what.many, n, d)
	case numbered && d != 1:
		return fmt.Errorf("%s of a table have one column, the number of the state; these have %d", what.many, d)
	case numbered && table.States > maxStates:
		return fmt.Errorf("the table has %d states, of which at most %d can be told apart as %s; use fewer",
			table.States, maxStates, what.many)
	}
	for i := range n {
		for j := range d {
			switch v := points.At(i, j); {
			case !finite(v):
				return fmt.Errorf("coordinate %d of row %d of the %s is %v; all must be finite, in float32", j, i,
					what.many, v)
			case numbered && v != math.Trunc(v):
				return fmt.Errorf("%s %d is %v, which is no number of a state; there are states 0 to %d", what.one, i,
					v, table.States-1)
			case numbered && (v < 0 || v >= float64(table.States)):
				return fmt.Errorf("%s %d is state %v, but there are states 0 to %d", what.one, i, v, table.States-1)
			}
		}
	}
	return nil
}

// finite reports whether a number is finite as the float32 that it becomes.
func finite(v float64) bool {
	x := float64(float32(v))
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

// stateNumbers makes numbers of states, int32 [...], of points [..., 1]. What is the number of no state becomes −1,
// where a table is NaN: a graph cannot return an error.
func stateNumbers(x *graph.Node, states int) *graph.Node {
	if x.Rank() == 0 || x.Shape().Dim(-1) != 1 {
		panic(fmt.Errorf("points of a table have one column, the number of the state; these have the shape %s",
			x.Shape()))
	}
	x = graph.Squeeze(x, -1)
	exists := graph.And(graph.Equal(x, graph.Floor(x)), graph.And(graph.GreaterOrEqual(x, graph.ZerosLike(x)),
		graph.LessThan(x, graph.MulScalar(graph.OnesLike(x), float64(states)))))
	return graph.ConvertDType(graph.Where(exists, x, graph.Neg(graph.OnesLike(x))), dtypes.Int32)
}
