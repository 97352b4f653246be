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
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
)

// TestMisuseGetsOneSentence: what was wrong, where, and what to do.
func TestMisuseGetsOneSentence(t *testing.T) {
	a, x := likeNeighbours(6), normal(30, 2, 1)
	box := net.Box{Lower: []float64{-1}, Upper: []float64{1}}
	wave := func(v func(x *Node) *Node) learn.Operator { return learn.Schrodinger{Potential: v, Box: box} }
	square := func(x *Node) *Node { return Square(x) }
	spoilt := mat.DenseCopyOf(a)
	spoilt.Set(2, 3, math.NaN())
	own := func(f learn.Functions, draw func(in learn.Inputs, n int) ommlx.Batch) learn.Task {
		return learn.Task{Functions: f, Draw: draw}
	}
	mlp := net.MLP{In: 2, Hidden: []int{4}, Out: 3}
	for _, c := range []struct {
		said string
		op   learn.Operator
		k    int
		s    learn.Settings
	}{
		{"no operator is given", nil, 1, learn.Settings{}},
		{"0 functions were asked for", learn.Matrix{A: a}, 0, learn.Settings{}},
		{"7 functions on 6 states", learn.Matrix{A: a}, 7, learn.Settings{}},
		{"the batch is -1", learn.Matrix{A: a}, 1, learn.Settings{Batch: -1}},
		{"the number of steps is -1", learn.Matrix{A: a}, 1, learn.Settings{Steps: -1}},
		{"on -5 samples", learn.Matrix{A: a}, 1, learn.Settings{Judge: -5}},
		{"the shift is -0.5", learn.Matrix{A: a}, 1, learn.Settings{Shift: -0.5}},
		{"M[f] is to come from 3 batches", learn.Pairs{From: x, To: x}, 1, learn.Settings{Overlap: 3}},
		{"M[f] is to come from -1 batches", learn.Pairs{From: x, To: x}, 1, learn.Settings{Overlap: -1}},
		{"objective simclr has no M[f]", learn.Pairs{From: x, To: x}, 1,
			learn.Settings{Overlap: 1, Objective: ommlx.SimCLR{}}},
		{"takes two that are independent", learn.Pairs{From: x, To: x}, 1,
			learn.Settings{Overlap: 1, Objective: ommlx.ALLO{}, Batch: 8}},
		{"no States that draw them", learn.Matrix{A: a}, 1, learn.Settings{Overlap: 1}},
		{"takes all 30 samples", learn.Pairs{From: x, To: x}, 1, learn.Settings{Overlap: 1, Batch: 30}},
		{"no seeds are given", learn.Matrix{A: a}, 1, learn.Settings{Seeds: []int64{}}},
		{"are not distinct", learn.Matrix{A: a}, 1, learn.Settings{Seeds: []int64{1, 1}}},
		{"the learning rate is -1", learn.Matrix{A: a}, 1, learn.Settings{Rate: -1}},
		{"nesting of 2 functions needs 2 weights, got 1", learn.Matrix{A: a}, 2,
			learn.Settings{Objective: ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{1}}}},
		{"no matrix is given", learn.Matrix{}, 1, learn.Settings{}},
		{"the matrix is 30×2", learn.Matrix{A: x}, 1, learn.Settings{}},
		{"entry (2, 3) of the matrix is NaN", learn.Matrix{A: spoilt}, 1, learn.Settings{}},
		{"entry 1 of the sparse matrix is at (0, 2), outside",
			learn.Sparse{N: 2, Rows: []int{0, 0}, Columns: []int{0, 2}, Values: []float64{1, 1}}, 1, learn.Settings{}},
		{"given 1 rows, 0 columns and 0 values", learn.Sparse{N: 2, Rows: []int{0}}, 1, learn.Settings{}},
		{"edge 1 joins nodes 1 and 3, but the graph has nodes 0 to 2",
			learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}, {1, 3}}}, 1, learn.Settings{}},
		{"node 2 has no edge", learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}}}, 1, learn.Settings{}},
		{"the graph has no edges", learn.Graph{Nodes: 3}, 1, learn.Settings{}},
		{"2 weights are given for 1 edges", learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Weights: []float64{1, 2}}, 1,
			learn.Settings{}},
		{"the weight of edge 0 is -1", learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Weights: []float64{-1}}, 1,
			learn.Settings{}},
		{"need both Functions and Features", learn.Graph{Nodes: 2, Edges: [][2]int{{0, 1}}, Features: x}, 1,
			learn.Settings{}},
		{"no samples are given", learn.Kernel{K: gaussian}, 1, learn.Settings{}},
		{"no kernel is given", learn.Kernel{Samples: x}, 1, learn.Settings{}},
		{"it must be [1, 30, 30]", learn.Kernel{Samples: x, K: func(x, y *Node) *Node { return Sub(x, y) }}, 1,
			learn.Settings{}},
		{"is NaN; all its values must be finite", learn.Kernel{Samples: x,
			K: func(x, y *Node) *Node { return Log(MulScalar(gaussian(x, y), -1)) }},
			1, learn.Settings{}},
		{"no starts of pairs are given", learn.Pairs{}, 1, learn.Settings{}},
		{"no ends of pairs are given", learn.Pairs{From: x}, 1, learn.Settings{}},
		{"no operator", learn.Task{Functions: mlp}, 1, learn.Settings{Steps: -1}},
		{"starts of pairs are 30×2 but the ends 6×6", learn.Pairs{From: x, To: a}, 1, learn.Settings{}},
		{"MLP", learn.Pairs{From: x, To: x, Functions: net.MLP{In: 3, Hidden: []int{4}, Out: 1}}, 1,
			learn.Settings{Steps: 1}},
		{"the functions given are 3, but 1 are trained", learn.Pairs{From: x, To: x, Functions: mlp}, 1,
			learn.Settings{Steps: 1}},
		{"no potential is given", wave(nil), 1, learn.Settings{}},
		{"the potential returned", wave(func(x *Node) *Node { return Squeeze(x, -1) }), 1, learn.Settings{}},
		{"the potential is NaN at x = ", wave(func(x *Node) *Node { return Log(x) }), 1, learn.Settings{}},
		{"the box has 0 lower and 0 upper bounds", learn.Schrodinger{Potential: square}, 1, learn.Settings{}},
		{"no sampler is given", learn.Direct{}, 1, learn.Settings{}},
		{"has no potential", learn.Direct{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 1}}, 1, learn.Settings{}},
		{"the task has no functions", learn.Task{}, 1, learn.Settings{}},
		{"the task has no functions", learn.Task{}, 1, learn.Settings{Batch: -1}},
		{"the task has no operator", learn.Task{Functions: mlp}, 1, learn.Settings{}},
		{"F of shape", own(mlp, func(in learn.Inputs, n int) ommlx.Batch {
			f := in.F(in.Random.Normal(in.Params[0].DType(), n, 2))
			return ommlx.Batch{F: Squeeze(f, 0), TF: Squeeze(f, 0)}
		}), 3, learn.Settings{Steps: 1}},
		{"returned no F or no TF", own(mlp, func(learn.Inputs, int) ommlx.Batch { return ommlx.Batch{} }), 3,
			learn.Settings{Steps: 1}},
	} {
		_, err := learn.Learn(context.Background(), c.op, c.k, c.s)
		require.ErrorContains(t, err, c.said)
		assert.False(t, strings.Contains(err.Error(), "\n"), "%q", err)
	}
}

func TestPointsThatDoNotFit(t *testing.T) {
	learned := trainedForAMoment(t)
	_, err := learned.At(mat.NewDense(3, 2, nil))
	assert.ErrorContains(t, err, "wavefunctions in 1 dimensions are asked for at points of shape")
	_, err = learned.At(nil)
	assert.ErrorContains(t, err, "no points are given")
	_, err = learned.On(line, []float64{1, 1, 1, 1, 1})
	assert.ErrorContains(t, err, "the weights of the quadrature sum to 5, but the volume is")
	table, err := learn.Learn(context.Background(), learn.Matrix{A: likeNeighbours(6)}, 2, moment(t))
	require.NoError(t, err)
	_, err = table.On(line, nil)
	assert.ErrorContains(t, err, "known by its samples alone")
}
