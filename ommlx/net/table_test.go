package net_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// TestTableAtStates: Apply returns the rows of the given states, all rows for nil, and NaN for invalid states.
func TestTableAtStates(t *testing.T) {
	table := net.Table{States: 3, Out: 2, Scale: 1}
	numbers := []float64{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		at := func(states *Node) *Node { return table.Apply(in[:1], states) }
		return []*Node{at(nil), at(in[1]), at(in[2])}
	}).Numbers(t, tensors.FromFlatDataAndDimensions(numbers, 2, 3, 2),
		tensors.FromValue([]int32{2, 0}), tensors.FromValue([][]int32{{1, 1}, {0, 3}}))
	assert.Equal(t, numbers, out[0])
	assert.Equal(t, []float64{20, 21, 0, 1, 120, 121, 100, 101}, out[1])
	assert.Equal(t, []float64{10, 11, 10, 11, 100, 101}, out[2][:6])
	assert.True(t, math.IsNaN(out[2][6]) && math.IsNaN(out[2][7]))
}

// TestTableAtPoints: points are state numbers. CheckStates refuses all others, where Apply returns NaN.
func TestTableAtPoints(t *testing.T) {
	table, points := net.Table{States: 3, Out: 1, Scale: 1}, []float64{2, 1.5, -1, 3, 1e20, math.NaN()}
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		return []*Node{table.Apply(in[:1], in[1])}
	}).Numbers(t, tensors.FromFlatDataAndDimensions([]float64{0, 1, 2}, 1, 3, 1),
		tensors.FromFlatDataAndDimensions(points, 1, len(points), 1))[0]
	for i, point := range points {
		err := table.CheckStates(mat.NewDense(1, 1, []float64{point}))
		assert.Equal(t, point == 2, err == nil)
		assert.Equal(t, point == 2, out[i] == 2)
		assert.Equal(t, point != 2, math.IsNaN(out[i]))
	}
	assert.ErrorContains(t, table.CheckStates(mat.NewDense(1, 2, nil)), "2 columns")
	assert.ErrorContains(t, net.Table{States: 1 << 25, Out: 1}.CheckStates(mat.NewDense(1, 1, nil)), "33554432")
}

// at evaluates functions of one run at points.
func at(t *testing.T, f net.Functions, points mat.Matrix) []float64 {
	in := xslices.Map(append(f.Init([]int64{3}), train.Table(net.Prepare(f, points))), testkit.FromTensor)
	return testkit.Compile(t, func(in []*Node) []*Node {
		last := len(in) - 1
		return []*Node{f.Apply(in[:last], InsertAxes(in[last], 0))}
	}).Numbers(t, in)[0]
}

// TestDividedTable: functions are the entries divided by the numbers of their states, at all states or some.
func TestDividedTable(t *testing.T) {
	table := net.Table{States: 3, Out: 2, Scale: 1}
	f := net.DividedTable{Table: table, Divisors: []float64{1, 2, 4}}
	states := mat.NewDense(2, 1, []float64{2, 1})
	whole := at(t, table, states)
	assert.InDeltaSlice(t, []float64{whole[0] / 4, whole[1] / 4, whole[2] / 2, whole[3] / 2}, at(t, f, states), 1e-6)
	require.True(t, net.IsDiscrete(f) && !net.IsDiscrete(net.MLP{}))
	require.Error(t, net.CheckStates(f, mat.NewDense(1, 1, []float64{3})))
}
