package net_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

var waves = net.Disjoint{In: 2, Hidden: []int{7, 5}, Out: 3}

func TestDisjointEqualsSeparateNetworks(t *testing.T) {
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	requireLoops(t, waves.Init([]int64{3, 4}), waves.Out, 1, waves.In, softplus, func(params []*Node, x *Node) *Node {
		return waves.Apply(params, jet.Inputs(x)).Value
	})
}

func TestFrequenciesHaveTheirScales(t *testing.T) {
	const n = 4000
	f := net.Fourier{Dims: 2, Frequencies: 2 * n, Scales: []float64{0.1, 3}}
	flat := tensorx.Numbers(f.Init([]int64{5}))
	for i, scale := range f.Scales {
		part := flat[i*2*n : (i+1)*2*n]
		// The variance of n normals has relative deviation √(2/n).
		assert.InEpsilon(t, math.Pow(2*math.Pi*scale, 2), floats.Dot(part, part)/(2*n), 4*math.Sqrt(2/(2.0*n)))
	}
}

func TestDisjointScales(t *testing.T) {
	d := net.Disjoint{In: 2, Hidden: []int{3}, Out: 2}
	before, params := d.Init([]int64{1, 2}), d.Init([]int64{1, 2})
	require.NoError(t, d.Scale(params, 0.5, 3))
	for i, p := range params {
		want := tensors.MustCopyFlatData[float32](before[i])
		for j := range want {
			if i >= 2 && j < len(want)/2 {
				want[j] *= 0.5
			} else if i >= 2 {
				want[j] *= 3
			}
		}
		assert.Equal(t, want, tensors.MustCopyFlatData[float32](p))
	}
	assert.ErrorContains(t, d.Scale(params, 1), "1 factors")
	assert.ErrorContains(t, d.Scale(params[:2], 1, 1), "parameters")
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
