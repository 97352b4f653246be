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

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// TestMisuseGetsOneSentence: what was wrong, where, and what to do.
func TestMisuseGetsOneSentence(t *testing.T) {
	a, x := likeNeighbours(6), normal(30, 2, 1)
	says := func(said string, op learn.Operator, k int, s learn.Settings) {
		t.Helper()
		_, err := learn.Learn(context.Background(), op, k, s)
		require.ErrorContains(t, err, said)
		assert.NotContains(t, err.Error(), "\n")
	}
	matrix, pairs := learn.Matrix{A: a}, learn.Pairs{From: x, To: x}
	says("0 functions were asked for", matrix, 0, learn.Settings{})
	says("7 functions on 6 states", matrix, 7, learn.Settings{})
	says("nesting of 2 functions needs 2 weights, got 1", matrix, 2,
		learn.Settings{Objective: ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{1}}})
	says("linearly dependent", learn.Task{Functions: net.MLP{In: 1, Hidden: []int{8}, Out: 1},
		Draw: func(in learn.Inputs, n int) ommlx.Batch {
			f := in.F(in.Random.Uniform(in.Params[0].DType(), n, 1))
			f = Concatenate([]*Node{f, f}, -1)
			return ommlx.Batch{F: f, TF: f}
		}}, 2, learn.Settings{Steps: 1})
	for said, s := range map[string]learn.Settings{
		"the batch is -1":           {Batch: -1},
		"the number of steps is -1": {Steps: -1},
		"on -5 samples":             {Judge: -5},
		"the shift is -0.5":         {Shift: -0.5},
		"the tolerance is -1":       {Tolerance: -1},
		"no States that draw them":  {Overlap: 1},
		"no seeds are given":        {Seeds: []int64{}},
		"are not distinct":          {Seeds: []int64{1, 1}},
		"the learning rate is -1":   {Rate: -1},
	} {
		says(said, matrix, 1, s)
	}
	for said, s := range map[string]learn.Settings{
		"M[f] is to come from 3 batches":  {Overlap: 3},
		"M[f] is to come from -1 batches": {Overlap: -1},
		"takes two that are independent":  {Overlap: 1, Objective: ommlx.ALLO{}, Batch: 8},
		"takes all 20 samples":            {Overlap: 1, Batch: 30},
	} {
		says(said, pairs, 1, s)
	}
	mlp := net.MLP{In: 2, Hidden: []int{4}, Out: 3}
	says("no operator", learn.Task{Functions: mlp}, 1, learn.Settings{Steps: -1})
	says("the task has no functions", learn.Task{}, 1, learn.Settings{Batch: -1})
	says("the task has no functions", learn.Task{}, 1, learn.Settings{Start: trainedForAMoment(t)})

	spoilt, huge := mat.DenseCopyOf(a), mat.DenseCopyOf(a)
	spoilt.Set(2, 3, math.NaN())
	huge.Set(0, 1, 1e300)
	box := net.Box{Lower: []float64{-1}, Upper: []float64{1}}
	wave := func(v func(x *Node) *Node) learn.Operator { return learn.Schrodinger{Potential: v, Box: box} }
	edge, one, sampler := [][2]int{{0, 1}}, []float64{1, 1}, schrodinger.Gaussian{Dim: 1, Sigma: 1}
	negative, column := mat.NewDense(2, 2, []float64{1, 2, -1, 3}), mat.NewDense(3, 1, nil)
	for said, op := range map[string]learn.Operator{
		"no operator is given":              nil,
		"no matrix is given":                learn.Matrix{},
		"the matrix is 30×2":                learn.Matrix{A: x},
		"entry (2, 3) of the matrix is NaN": learn.Matrix{A: spoilt},
		"entry (0, 1) of the matrix is 1e+300; all entries must be finite, in float32": learn.Matrix{A: huge},
		"entry 1 of the sparse matrix is at (0, 2), outside": learn.Sparse{N: 2, Rows: []int{0, 0},
			Columns: []int{0, 2}, Values: one},
		"given 1 rows, 0 columns and 0 values": learn.Sparse{N: 2, Rows: []int{0}},
		"edge 1 joins nodes 1 and 3, but the graph has nodes 0 to 2": learn.Graph{Nodes: 3,
			Edges: [][2]int{{0, 1}, {1, 3}}},
		"node 2 has no edge":               learn.Graph{Nodes: 3, Edges: edge},
		"the graph has no edges":           learn.Graph{Nodes: 3},
		"2 weights are given for 1 edges":  learn.Graph{Nodes: 2, Edges: edge, Weights: one},
		"the weight of edge 0 is -1":       learn.Graph{Nodes: 2, Edges: edge, Weights: []float64{-1}},
		"need both Functions and Features": learn.Graph{Nodes: 2, Edges: edge, Features: x},
		"no samples are given":             learn.Kernel{K: gaussian},
		"no kernel is given":               learn.Kernel{Samples: x},
		"it must be [1, 30, 30]":           learn.Kernel{Samples: x, K: func(x, y *Node) *Node { return Sub(x, y) }},
		"is NaN; all its values must be finite": learn.Kernel{Samples: x,
			K: func(x, y *Node) *Node { return Log(MulScalar(gaussian(x, y), -1)) }},
		"no starts of pairs are given":                learn.Pairs{},
		"no ends of pairs are given":                  learn.Pairs{From: x},
		"starts of pairs are 30×2 but the ends 6×6":   learn.Pairs{From: x, To: a},
		"a share of 2 of the pairs is to be held out": learn.Pairs{From: x, To: x, HeldOut: 2},
		"MLP": learn.Pairs{From: x, To: x, Functions: net.MLP{In: 3, Hidden: []int{4}, Out: 1}},
		"the functions given are 3, but 1 are trained": learn.Pairs{From: x, To: x, Functions: mlp},
		"give one of the two":                          learn.Joint{},
		"p(1, 0) is -1":                                learn.Joint{P: negative},
		"sampled pairs X and Y; give one":              learn.Joint{P: negative, X: column},
		"no ends of pairs":                             learn.Joint{X: column},
		"3 x are given with 2 y":                       learn.Joint{X: column, Y: negative},
		"no potential is given":                        wave(nil),
		"the potential returned":                       wave(func(x *Node) *Node { return Squeeze(x, -1) }),
		"the potential is NaN at x = ":                 wave(Log),
		"the box has 0 lower and 0 upper bounds":       learn.Schrodinger{Potential: Square},
		"no sampler is given":                          learn.Direct{},
		`"Schrödinger operator" has no potential`:      learn.Direct{Sampler: sampler},
		"the potential is nowhere below": learn.Direct{Sampler: sampler,
			System: schrodinger.System{Dim: 1, Potential: Square}},
		"disjoint networks: layer 1 has width 0": learn.Direct{Sampler: sampler, System: schrodinger.System{Dim: 1,
			Potential: func(x *Node) *Node { return Neg(Exp(Neg(Square(x)))) }},
			Network: net.Disjoint{In: 1, Hidden: []int{0}, Out: 1}},
		"the task has no functions": learn.Task{},
		"the task has no operator":  learn.Task{Functions: mlp},
		"F of shape": learn.Task{Functions: mlp, Draw: func(in learn.Inputs, n int) ommlx.Batch {
			f := Squeeze(in.F(in.Random.Normal(in.Params[0].DType(), n, 2)), 0)
			return ommlx.Batch{F: f, TF: f}
		}},
		"returned no F or no TF": learn.Task{Functions: mlp,
			Draw: func(learn.Inputs, int) ommlx.Batch { return ommlx.Batch{} }},
	} {
		says(said, op, 1, learn.Settings{Steps: 1})
	}
}

// TestContextBeforeCompiling: none, and one that has ended, are found out before anything is compiled.
func TestContextBeforeCompiling(t *testing.T) {
	op := learn.Matrix{A: likeNeighbours(6)}
	_, err := learn.Learn(nil, op, 1, learn.Settings{}) //nolint:staticcheck // that is the point
	require.EqualError(t, err, "learning: no context is given; give context.Background()")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = learn.Learn(ended, op, 1, learn.Settings{})
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "before the first step")
}

// TestDivergenceOfDirectNamesItsCause: samples that do not reach as far as the states.
func TestDivergenceOfDirectNamesItsCause(t *testing.T) {
	well := schrodinger.System{Dim: 1,
		Potential: func(x *Node) *Node { return MulScalar(OneMinus(Square(Tanh(x))), -20) }}
	_, err := learn.Learn(context.Background(),
		learn.Direct{System: well, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 0.2}}, 4, learn.Settings{Steps: 1_000})
	require.ErrorContains(t, err, "the samples are too narrow for the states")
}

func TestPointsThatDoNotFit(t *testing.T) {
	learned := trainedForAMoment(t)
	_, err := learned.At(mat.NewDense(3, 2, nil))
	assert.ErrorContains(t, err, "wavefunctions in 1 dimensions are asked for at points of shape")
	_, err = learned.At(nil)
	assert.ErrorContains(t, err, "no points are given")
}

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
	one := learn.Settings{Steps: 1, Backend: testkit.PureGo(t)}
	fine := numbers(0, 5)
	kernel := learn.Kernel{Samples: fine, K: gaussian, Functions: table}
	learned := mustLearn(t, kernel, 1, one)
	values := testkit.Must(learned.At(numbers(5, 0)))
	all := testkit.Must(learned.At(nil))
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
		_, err := learn.Learn(context.Background(), task, 1, learn.Settings{Steps: 2, Backend: testkit.PureGo(t)})
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
	x, b := normal(30, 1, 1), testkit.PureGo(t)
	kernel := learn.Kernel{Samples: x, K: gaussian}
	learned := mustLearn(t, kernel, 1, learn.Settings{Steps: 1, Backend: b})
	for said, points := range map[string]mat.Matrix{
		"coordinate 0 of row 1 of the points is NaN; all must be finite, in float32":    numbers(0, math.NaN()),
		"coordinate 0 of row 0 of the points is -Inf; all must be finite, in float32":   numbers(math.Inf(-1), 2),
		"coordinate 0 of row 0 of the points is 1e+300; all must be finite, in float32": numbers(1e300, 2),
		"the points are 0×0": &mat.Dense{},
	} {
		_, err := learned.At(points)
		assert.ErrorContains(t, err, said)
		_, _, err = kernel.Exact(b, 1, points)
		assert.ErrorContains(t, err, said)
	}
	_, _, err := kernel.Exact(b, 1, nil)
	assert.ErrorContains(t, err, "no points are given")
	g := learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Features: numbers(0, math.NaN()), Functions: net.MLP{In: 1,
		Hidden: []int{4}, Out: 1}}
	_, err = learn.Learn(context.Background(), g, 1, learn.Settings{Steps: 1, Backend: b})
	assert.ErrorContains(t, err, "coordinate 0 of row 1 of the features of nodes is NaN")
}

// TestExactTakesPointsLikeTheSamples: coordinates that are not there are not made up, by repeating those that are.
func TestExactTakesPointsLikeTheSamples(t *testing.T) {
	b, x := testkit.PureGo(t), normal(30, 2, 1)
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
	basis := testkit.Must(learn.Pairs{From: normal(30, 1, 1), To: normal(30, 1, 2)}.EDMD(2, 2))
	for said, points := range map[string]mat.Matrix{
		"the points have 2 coordinates, but the pairs have 1; give points like theirs": normal(3, 2, 1),
		"coordinate 0 of row 1 of the points is NaN; all must be finite, in float32":   numbers(0, math.NaN()),
		"no points are given; give N×D coordinates":                                    nil,
	} {
		require.PanicsWithError(t, said, func() { basis.At(points) })
	}
}
