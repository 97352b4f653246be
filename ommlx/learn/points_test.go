package learn_test

import (
	"context"
	"math"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
)

func numbers(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// noStates are points that are no numbers of the states 0 to 5, and what is said of them, where ONE and MANY are what
// the points are called.
var noStates = []struct {
	said   string
	points mat.Matrix
}{
	{"ONE 1 is state 6, but there are states 0 to 5", numbers(5, 6)},
	{"ONE 0 is state 400, but there are states 0 to 5", numbers(400, 1)},
	{"ONE 0 is state -1, but there are states 0 to 5", numbers(-1, 1)},
	{"ONE 1 is state 1e+20, but there are states 0 to 5", numbers(1, 1e20)},
	{"ONE 0 is 1.5, which is no number of a state; there are states 0 to 5", numbers(1.5, 0)},
	{"coordinate 0 of row 1 of the MANY is NaN", numbers(0, math.NaN())},
	{"MANY of a table have one column, the number of the state; these have 2", mat.NewDense(2, 2, nil)},
}

// TestStatesThatDoNotExist: no operator takes them for others, and no function has a value there.
func TestStatesThatDoNotExist(t *testing.T) {
	table := net.Table{States: 6, Out: 1, Scale: 0.3}
	one := learn.Settings{Steps: 1, Backend: graphtest.PureGo(t)}
	fine := numbers(0, 5)
	kernel := learn.Kernel{Samples: fine, K: gaussian, Functions: table}
	learned, err := learn.Learn(context.Background(), kernel, 1, one)
	require.NoError(t, err)
	values, err := learned.At(numbers(5, 0))
	require.NoError(t, err)
	all, err := learned.At(nil)
	require.NoError(t, err)
	assert.Equal(t, []float64{all.At(5, 0), all.At(0, 0)}, values.RawMatrix().Data)
	learns := func(op learn.Operator) error {
		_, err := learn.Learn(context.Background(), op, 1, one)
		return err
	}
	for _, c := range noStates {
		requireSaid := func(one, many string, err error) {
			t.Helper()
			require.ErrorContains(t, err, strings.NewReplacer("ONE", one, "MANY", many).Replace(c.said))
			require.NotContains(t, err.Error(), "\n")
		}
		_, err := learned.At(c.points)
		requireSaid("point", "points", err)
		_, err = learned.On(c.points, []float64{0.5, 0.5})
		requireSaid("point", "points", err)
		requireSaid("start", "starts of pairs", learns(learn.Pairs{From: c.points, To: fine, Functions: table}))
		requireSaid("end", "ends of pairs", learns(learn.Pairs{From: fine, To: c.points, Functions: table}))
		requireSaid("sample", "samples", learns(learn.Kernel{Samples: c.points, K: gaussian, Functions: table}))
		requireSaid("node", "features of nodes", learns(learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}},
			Features: c.points, Functions: table}))
	}
	assert.ErrorContains(t, learns(learn.Pairs{From: fine, To: fine,
		Functions: net.Table{States: 1<<24 + 1, Out: 1, Scale: 1}}), "at most 16777216 can be told apart")
}

// TestStatesOfATaskOfOnesOwn: a number that is no state's has the value NaN, by which a training stops.
func TestStatesOfATaskOfOnesOwn(t *testing.T) {
	for _, c := range []struct {
		state float64
		said  string
	}{{2, ""}, {1.5, "not finite"}, {-0.5, "not finite"}, {3, "not finite"}, {1e10, "not finite"},
		{math.NaN(), "not finite"}} {
		task := learn.Task{Functions: net.Table{States: 3, Out: 1, Scale: 1},
			Draw: func(in learn.Inputs, n int) ommlx.Batch {
				f := in.F(AddScalar(MulScalar(in.Random.Uniform(in.Params[0].DType(), n, 1), 0), c.state))
				return ommlx.Batch{F: f, TF: f}
			}}
		_, err := learn.Learn(context.Background(), task, 1, learn.Settings{Steps: 2, Backend: graphtest.PureGo(t)})
		if c.said == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, train.ErrDiverged, "%v", c.state)
		assert.ErrorContains(t, err, c.said)
	}
	two := learn.Task{Functions: net.Table{States: 3, Out: 1, Scale: 1},
		Draw: func(in learn.Inputs, n int) ommlx.Batch {
			f := in.F(in.Random.Uniform(in.Params[0].DType(), n, 2))
			return ommlx.Batch{F: f, TF: f}
		}}
	_, err := learn.Learn(context.Background(), two, 1, learn.Settings{Steps: 1})
	assert.ErrorContains(t, err, "points of a table have one column, the number of the state; these have the shape")
}

// TestPointsThatAreNone, in every place that takes points.
func TestPointsThatAreNone(t *testing.T) {
	x, b := normal(30, 1, 1), graphtest.PureGo(t)
	kernel := learn.Kernel{Samples: x, K: gaussian}
	learned, err := learn.Learn(context.Background(), kernel, 1, learn.Settings{Steps: 1, Backend: b})
	require.NoError(t, err)
	for said, points := range map[string]mat.Matrix{
		"coordinate 0 of row 1 of the points is NaN; all must be finite, in float32":    numbers(0, math.NaN()),
		"coordinate 0 of row 0 of the points is -Inf; all must be finite, in float32":   numbers(math.Inf(-1), 2),
		"coordinate 0 of row 0 of the points is 1e+300; all must be finite, in float32": numbers(1e300, 2),
		"the points are 0×0": &mat.Dense{},
	} {
		_, err = learned.At(points)
		assert.ErrorContains(t, err, said)
		_, err = learned.On(points, []float64{0.5, 0.5})
		assert.ErrorContains(t, err, said)
		_, _, err = kernel.Exact(b, 1, points)
		assert.ErrorContains(t, err, said)
	}
	_, err = learned.On(nil, []float64{1})
	assert.ErrorContains(t, err, "no points are given")
	_, _, err = kernel.Exact(b, 1, nil)
	assert.ErrorContains(t, err, "no points are given")
	g := learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Features: numbers(0, math.NaN()), Functions: net.MLP{In: 1,
		Hidden: []int{4}, Out: 1}}
	_, err = learn.Learn(context.Background(), g, 1, learn.Settings{Steps: 1, Backend: b})
	assert.ErrorContains(t, err, "coordinate 0 of row 1 of the features of nodes is NaN")
}

// TestExactTakesPointsLikeTheSamples: coordinates that are not there are not made up, by repeating those that are.
func TestExactTakesPointsLikeTheSamples(t *testing.T) {
	b, x := graphtest.PureGo(t), normal(30, 2, 1)
	for said, c := range map[string]struct {
		op     learn.Kernel
		points mat.Matrix
	}{
		"the samples have 2 coordinates, but the points have 1": {learn.Kernel{Samples: x, K: gaussian}, numbers(1, 2)},
		"no kernel is given":            {learn.Kernel{Samples: x}, x},
		"a kernel is given one sample":  {learn.Kernel{Samples: numbers(1), K: gaussian}, numbers(1)},
		"a number for each pair":        {learn.Kernel{Samples: x, K: func(x, y *Node) *Node { return Sub(x, y) }}, x},
		"the samples are 0×0; give N×D": {learn.Kernel{Samples: &mat.Dense{}, K: gaussian}, x},
	} {
		_, _, err := c.op.Exact(b, 1, c.points)
		assert.ErrorContains(t, err, said)
	}
}

// TestEDMDAtOtherPoints panics with a sentence, for At returns no error.
func TestEDMDAtOtherPoints(t *testing.T) {
	basis, err := learn.Pairs{From: normal(30, 1, 1), To: normal(30, 1, 2)}.EDMD(2, 2)
	require.NoError(t, err)
	for said, points := range map[string]mat.Matrix{
		"the points have 2 coordinates, but the pairs have 1; give points like theirs": normal(3, 2, 1),
		"coordinate 0 of row 1 of the points is NaN; all must be finite, in float32":   numbers(0, math.NaN()),
		"no points are given; give N×D coordinates":                                    nil,
	} {
		require.PanicsWithError(t, said, func() { basis.At(points) })
	}
}
