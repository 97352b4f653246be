package learn_test

import (
	"context"
	"math"
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

func learnError(op learn.Operator, k int, s learn.Settings) error {
	_, err := learn.Learn(context.Background(), op, k, s)
	return err
}

func requireOneLine(t *testing.T, err error, word string) {
	t.Helper()
	require.ErrorContains(t, err, word)
	require.NotContains(t, err.Error(), "\n")
}

func TestErrorsNameTheSetting(t *testing.T) {
	matrix, x := learn.Matrix{A: decaying(6)}, normal(30, 2, 1)
	requireOneLine(t, learnError(matrix, 0, learn.Settings{}), "k is 0")
	requireOneLine(t, learnError(matrix, 7, learn.Settings{}), "k is 7")
	for word, all := range map[string][]learn.Settings{
		"Batch": {{Batch: -1}}, "EvalBatch": {{EvalBatch: -5}}, "Steps": {{Steps: -1}}, "rate": {{Rate: -1}},
		"Shift": {{Shift: -0.5}}, "Overlap": {{Overlap: 1}},
		"Seeds": {{Seeds: []int64{}}, {Seeds: []int64{1, 1}}},
	} {
		for _, s := range all {
			requireOneLine(t, learnError(matrix, 1, s), word)
		}
	}
	requireOneLine(t, learnError(matrix, 2, learn.Settings{Objective: ommlx.OMM{Nesting: ommlx.Joint,
		Weights: []float64{1}}}), "Weights")
	for _, s := range []learn.Settings{{Overlap: 3}, {Overlap: -1}, {Overlap: 1, Batch: 30}} {
		s.Options = pureGo(t)
		requireOneLine(t, learnError(learn.Pairs{From: x, To: x}, 1, s), "Overlap")
	}
	requireOneLine(t, learnError(learn.Kernel{Samples: x, K: gaussian}, 3,
		learn.Settings{EvalBatch: 2, Options: pureGo(t)}), "EvalBatch")
	requireOneLine(t, learnError(learn.Kernel{Samples: x, K: gaussian}, 1,
		learn.Settings{Steps: 1, EvalBatch: 1, Options: pureGo(t)}), "EvalBatch")
	requireOneLine(t, learnError(small, 1,
		learn.Settings{Steps: 1, Batch: 8, EvalBatch: 40_000, Options: pureGo(t)}), "EvalBatch")
	sampled := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Potential: pöschlTeller(1)}
	requireOneLine(t, learnError(sampled, 1, learn.Settings{Batch: 1 << 40, Options: pureGo(t)}), "Batch")
}

func TestErrorsNameTheInput(t *testing.T) {
	a, x := decaying(6), normal(30, 2, 1)
	spoilt, huge, tiny := mat.DenseCopyOf(a), mat.DenseCopyOf(a), mat.DenseCopyOf(x)
	tiny.Scale(1e-300, tiny)
	spoilt.Set(2, 3, math.NaN())
	huge.Set(2, 3, 1e300)
	mlp := net.MLP{In: 2, Hidden: []int{4}, Out: 3}
	sampler, line := schrodinger.Gaussian{Dim: 1, Sigma: 1}, net.Box{Lower: []float64{-1}, Upper: []float64{1}}
	box := func(v func(x *Node) *Node) learn.Operator { return learn.Schrodinger{Potential: v, Box: line} }
	bound := func(v func(x *Node) *Node) learn.Operator {
		return learn.Schrodinger{Potential: v, Sampler: sampler, Network: net.Disjoint{In: 1, Hidden: []int{0}, Out: 1}}
	}
	falling := func(x *Node) *Node { return MulScalar(Reciprocal(Square(AddScalar(x, -0.1))), -3) }
	cubic := func(x, y *Node) *Node { // (1 + x·y)³ of coordinates of 10¹²
		return PowScalar(OnePlus(MulScalar(ReduceSum(Mul(x, y), -1), 1e24)), 3)
	}
	both, noSpare := learn.Schrodinger{Potential: Square, Box: line, Sampler: sampler}, interval(-1, 1, Square)
	noSpare.Network = net.Disjoint{In: 1, Hidden: []int{4}, Out: 2}
	walls := func(x *Node) *Node { return AddScalar(step(-1e4, 0, 0.5)(x), 1e4) }
	nothing := learn.Task{Functions: mlp, Draw: func(learn.Inputs, int) ommlx.Batch { return ommlx.Batch{} }}
	edge, one := [][2]int{{0, 1}}, []float64{1, 1}
	same := mat.NewDense(30, 2, nil)
	narrow := func(x, y *Node) *Node { return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -1e9)) }
	node := func(place float64) learn.Graph { // whose other node is at 0
		return learn.Graph{Nodes: 2, Edges: edge, Features: numbers(0, place), Functions: net.MLP{In: 1,
			Hidden: []int{4}, Out: 1}}
	}
	negative, column := mat.NewDense(2, 2, []float64{1, 2, -1, 3}), mat.NewDense(3, 1, nil)
	draws := func(dims ...int) learn.Operator {
		return learn.Task{Functions: mlp, Draw: func(in learn.Inputs, n int) ommlx.Batch {
			f := ConvertDType(Iota(in.Params[0].Graph(), in.Params[0].Shape(), 0), in.Params[0].DType())
			return ommlx.Batch{F: Reshape(f, dims...), TF: Reshape(f, dims...)}
		}}
	}
	for word, all := range map[string][]learn.Operator{
		"operator": {nil},
		"A":        {learn.Matrix{}, learn.Matrix{A: x}, learn.Matrix{A: &mat.Dense{}}},
		"(2, 3)":   {learn.Matrix{A: spoilt}, learn.Matrix{A: huge}},
		"entry 1":  {learn.Sparse{N: 2, Rows: []int{0, 0}, Columns: []int{0, 2}, Values: one}},
		"constant": {diagonal(1e-42, 0), diagonal(1e38, 0)},
		"Columns":  {learn.Sparse{N: 2, Rows: []int{0}}},
		"edge 1":   {learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}, {1, 3}}}},
		"node 2":   {learn.Graph{Nodes: 3, Edges: edge}},
		"Edges":    {learn.Graph{Nodes: 3}},
		"Nodes is": {learn.Graph{Edges: edge}, learn.Graph{Nodes: -1, Edges: edge}},
		"Weights":  {learn.Graph{Nodes: 2, Edges: edge, Weights: one}},
		"weight":   {learn.Graph{Nodes: 2, Edges: edge, Weights: []float64{-1}}},
		"Features": {learn.Graph{Nodes: 2, Edges: edge, Features: x}},
		"Samples":  {learn.Kernel{K: gaussian}, learn.Kernel{K: gaussian, Samples: mat.NewDense(1, 1, nil)}},
		"K":        {learn.Kernel{Samples: x, K: Sub}},
		"same":     {learn.Kernel{Samples: same, K: gaussian}, node(0)},
		"wider":    {learn.Kernel{Samples: x, K: narrow}},
		"standard": {node(1e15)},
		"+Inf":     {learn.Kernel{Samples: x, K: cubic}},
		"float32": {learn.Kernel{Samples: tiny, K: gaussian}, learn.Pairs{From: tiny, To: tiny},
			learn.Kernel{Samples: x, K: func(x, y *Node) *Node { return MulScalar(gaussian(x, y), 1e-300) }}},
		"From":      {learn.Pairs{}, learn.Pairs{From: x, To: a}},
		"To":        {learn.Pairs{From: x}},
		"HeldOut":   {learn.Pairs{From: x, To: x, HeldOut: 2}, learn.Pairs{From: x, To: x, HeldOut: -1}},
		"MLP":       {learn.Pairs{From: x, To: x, Functions: net.MLP{In: 3, Hidden: []int{4}, Out: 1}}},
		"3 outputs": {learn.Pairs{From: x, To: x, Functions: mlp}},
		"table P":   {learn.Joint{}, learn.Joint{P: negative, X: column}},
		"P(1, 0)":   {learn.Joint{P: negative}},
		"Y":         {learn.Joint{X: column}, learn.Joint{X: column, Y: negative}},
		"Potential": {box(nil), learn.Schrodinger{Sampler: sampler}},
		"potential": {box(func(x *Node) *Node { return Squeeze(x, -1) }), box(Log), bound(Square)},
		"lowest":    {box(falling), bound(falling)},
		"jumps":     {box(walls)},
		"spare":     {noSpare},
		"Box":       {learn.Schrodinger{Potential: Square}, both},
		"networks":  {bound(func(x *Node) *Node { return Neg(Exp(Neg(Square(x)))) })},
		"Functions": {learn.Task{}},
		"Draw is":   {learn.Task{Functions: mlp}},
		"F is":      {draws(8)},
		"without F": {nothing},
		"one end":   {learn.Task{Functions: mlp, Draw: nothing.Draw, HeldOut: learn.Pairs{From: x}}},
	} {
		for _, op := range all {
			requireOneLine(t, learnError(op, 1, learn.Settings{Steps: 1, Options: pureGo(t)}), word)
		}
	}
}

func TestContextIsCheckedBeforeCompiling(t *testing.T) {
	op := learn.Matrix{A: decaying(6)}
	_, err := learn.Learn(nil, op, 1, learn.Settings{}) //nolint:staticcheck // nil is what is tested
	require.ErrorContains(t, err, "context")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = learn.Learn(ended, op, 1, learn.Settings{})
	require.ErrorIs(t, err, train.ErrInterrupted)
}

func TestDivergenceOfNarrowSamplesNamesTheSampler(t *testing.T) {
	well := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 0.2}, Potential: pöschlTeller(20)}
	err := learnError(well, 4, learn.Settings{Steps: 1_000})
	require.ErrorIs(t, err, train.ErrDiverged)
	require.ErrorContains(t, err, "Sampler")
}

func numbers(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func TestPointsOfATableMustBeStates(t *testing.T) {
	table := net.Table{States: 6, Out: 1, Scale: 0.3}
	one := learn.Settings{Steps: 1, Options: pureGo(t)}
	fine := numbers(0, 5)
	square := func(x, y *Node) *Node { return Square(ReduceSum(Sub(x, y), -1)) }
	learned := mustLearn(t, learn.Kernel{Samples: fine, K: square, Functions: table}, 1, one)
	values, all := testkit.Must(learned.At(numbers(5, 0))), testkit.Must(learned.At(nil))
	assert.Equal(t, []float64{all.At(5, 0), all.At(0, 0)}, values.RawMatrix().Data)
	for word, points := range map[string]mat.Matrix{"row 1 is 6": numbers(5, 6), "row 0 is -1": numbers(-1, 1),
		"row 1 is 1e+20": numbers(1, 1e20), "row 0 is 1.5": numbers(1.5, 0), "NaN": numbers(0, math.NaN()),
		"2 columns": mat.NewDense(2, 2, nil)} {
		_, err := learned.At(points)
		requireOneLine(t, err, "points: ")
		requireOneLine(t, err, word)
		for name, op := range map[string]learn.Operator{
			"From": learn.Pairs{From: points, To: fine, Functions: table}, "To": learn.Pairs{From: fine, To: points,
				Functions: table}, "Samples": learn.Kernel{Samples: points, K: gaussian, Functions: table},
			"Features": learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Features: points, Functions: table}} {
			requireOneLine(t, learnError(op, 1, one), name)
		}
	}
}

func TestPointsAreChecked(t *testing.T) {
	x, b := normal(30, 1, 1), testkit.PureGo(t)
	kernel := learn.Kernel{Samples: x, K: gaussian}
	learned := mustLearn(t, kernel, 1, learn.Settings{Steps: 1, Options: pureGo(t)})
	for _, points := range []mat.Matrix{nil, numbers(0, math.NaN()), numbers(math.Inf(-1), 2), numbers(1e300, 2),
		&mat.Dense{}, mat.NewDense(3, 2, nil)} {
		_, err := learned.At(points)
		assert.ErrorContains(t, err, "points")
		_, _, err = kernel.Exact(b, 1, points)
		assert.ErrorContains(t, err, "points")
	}
}
