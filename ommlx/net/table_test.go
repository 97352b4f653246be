package net_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
)

// TestTableStartsSmall: normal numbers of the given scale, that depend on the seed of their run alone.
func TestTableStartsSmall(t *testing.T) {
	table := net.Table{States: 5000, Out: 3, Scale: 0.2}
	require.NoError(t, table.Validate())
	both := table.Init([]int64{3, 4})
	require.Len(t, both, 1)
	require.Equal(t, []int{2, 5000, 3}, both[0].Shape().Dimensions)
	flat := graphtest.Flat(both[0])
	n := float64(len(flat))
	assert.InDelta(t, 0, stat.Mean(flat, nil), 5*0.2/math.Sqrt(n))
	assert.InDelta(t, 0.2, stat.StdDev(flat, nil), 5*0.2/math.Sqrt(2*n))
	assert.Equal(t, flat[len(flat)/2:], graphtest.Flat(table.Init([]int64{4})[0]))
	assert.NotEqual(t, flat[:len(flat)/2], flat[len(flat)/2:])
}

// TestTableAtStates: the rows of the states that are asked for, of all without any, and NaN for one that does not
// exist.
func TestTableAtStates(t *testing.T) {
	table := net.Table{States: 3, Out: 2, Scale: 1}
	numbers := []float64{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		at := func(states *Node) *Node { return table.Apply(in[:1], states) }
		return []*Node{at(nil), at(in[1]), at(in[2])}
	}, tensors.FromFlatDataAndDimensions(numbers, 2, 3, 2),
		tensors.FromValue([]int32{2, 0}), tensors.FromValue([][]int32{{1, 1}, {0, 3}}))
	assert.Equal(t, numbers, out[0])
	assert.Equal(t, []float64{20, 21, 0, 1, 120, 121, 100, 101}, out[1])
	assert.Equal(t, []float64{10, 11, 10, 11, 100, 101}, out[2][:6])
	assert.True(t, math.IsNaN(out[2][6]) && math.IsNaN(out[2][7]))
}

// TestStartAtZeroIsASaddle: there OMM has no gradient, though a small random start has one.
func TestStartAtZeroIsASaddle(t *testing.T) {
	const n, k = 6, 2
	matrix := make([]float32, n*n)
	for i := range n {
		matrix[i*n+i] = float32(i + 1)
	}
	gradient := func(start *tensors.Tensor) []float64 {
		return graphtest.Evaluate(t, func(in []*Node) []*Node {
			f, tf := operator.Matrix(in[0], in[1])
			loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: tf}, nil)
			return Gradient(ReduceAllSum(loss), in[0])
		}, start, tensors.FromFlatDataAndDimensions(matrix, n, n))[0]
	}
	small := net.Table{States: n, Out: k, Scale: 0.1}.Init([]int64{1})[0]
	assert.Greater(t, stat.StdDev(gradient(small), nil), 0.1)
	assert.Equal(t, make([]float64, n*k), gradient(tensors.FromShape(small.Shape())))
}

func TestTableSettingsThatDoNotFit(t *testing.T) {
	for word, table := range map[string]net.Table{
		"0 functions on 5 states":   {States: 5, Scale: 1},
		"6 functions on 5 states":   {States: 5, Out: 6, Scale: 1},
		"a start at zero stays the": {States: 5, Out: 2},
		"the scale is -1":           {States: 5, Out: 2, Scale: -1},
		"the scale is NaN":          {States: 5, Out: 2, Scale: math.NaN()},
		"the scale is +Inf":         {States: 5, Out: 2, Scale: math.Inf(1)},
	} {
		assert.ErrorContains(t, table.Validate(), word)
	}
}
