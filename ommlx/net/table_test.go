package net_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
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
