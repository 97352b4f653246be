package net_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// at evaluates functions of one run at points.
func at(t *testing.T, f net.Functions, points mat.Matrix) []float64 {
	in := xslices.Map(append(f.Init([]int64{3}), train.Table(net.Prepare(f, points))), testkit.FromTensor)
	return testkit.Compile(t, func(in []*Node) []*Node {
		last := len(in) - 1
		return []*Node{f.Apply(in[:last], InsertAxes(in[last], 0))}
	}).Numbers(t, in)[0]
}

// TestStandardised: far from zero, where float32 has steps of 1, the functions are those of x = 0, 1, …
func TestStandardised(t *testing.T) {
	network := net.MLP{In: 2, Hidden: []int{4}, Out: 3}
	near := mat.NewDense(5, 2, []float64{0, 3, 1, 3, 2, 3, 3, 3, 4, 3})
	var far mat.Dense
	far.Apply(func(_, _ int, v float64) float64 { return 1e8 + v }, near)
	f := net.Standardised{MLP: network, Coordinates: net.Standardise(near)}
	assert.Equal(t, []float64{2, 3}, f.Mean)
	assert.Equal(t, 1.0, f.Scale[1], "a constant coordinate")
	want := at(t, f, near)
	f.Coordinates = net.Standardise(&far)
	assert.InDeltaSlice(t, want, at(t, f, &far), 1e-6)
	assert.InDeltaSlice(t, want, at(t, network, f.Prepare(&far)), 1e-6)
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

// TestFourierDisjoint is a Disjoint of Fourier features and of the coordinates of the box.
func TestFourierDisjoint(t *testing.T) {
	features := net.Fourier{Dims: 2, Frequencies: 3, Scales: []float64{0.2}}
	box := net.Box{Lower: []float64{-1, -2}, Upper: []float64{1, 2}}
	f := net.NewFourierDisjoint(features, []int{5}, 2, box, 0.5)
	params := xslices.Map(append(f.Init([]int64{3}), f.Disjoint.Init([]int64{3})...), testkit.FromTensor)
	out := testkit.Compile(t, func(in []*Node) []*Node {
		x := jet.Inputs(in[len(in)-1])
		frequencies := Reshape(ConstAs(x.Value, f.Frequencies), 1, 3, 2)
		plain := f.Disjoint.Apply(in[4:8], jet.Concatenate(box.Unit(x), features.Apply(frequencies, x)))
		own := f.Apply(in[:4], x)
		return []*Node{own.Value, plain.Value, own.Laplacian, plain.Laplacian}
	}).Call(t, params, inputs(1, 6, 2))
	testkit.RequireClose(t, out[1].Scaled(0.5), out[0], 1e-6, "values") // its initial biases are 0
	testkit.RequireClose(t, out[3].Scaled(0.5), out[2], 1e-6, "Laplacians")
}
