package net_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

// seen returns parameters with nonzero biases.
func seen(params []*tensors.Tensor) []testkit.Array {
	all := xslices.Map(params, testkit.FromTensor)
	for i, p := range all {
		for j := range p.Data {
			if i%2 == 1 {
				p.Data[j] = 0.3 * math.Cos(float64(i+j))
			}
		}
	}
	return all
}

// inputs draws points of the shape dims.
func inputs(dims ...int) testkit.Array {
	x := testkit.NewArray(dims...)
	for i := range x.Data {
		x.Data[i] = math.Sin(1.7*float64(i) + 0.2)
	}
	return x
}

// loops evaluates one network, numbered across runs, at one point.
func loops(params []testkit.Array, network int, between func(float64) float64, x []float64) []float64 {
	for l := 0; l < len(params); l += 2 {
		dims := params[l].Dims
		out, in := dims[len(dims)-2], dims[len(dims)-1]
		w, b := params[l].Data[network*out*in:], params[l+1].Data[network*out:]
		next := make([]float64, out)
		for o := range next {
			next[o] = b[o]
			for i := range in {
				next[o] += w[o*in+i] * x[i]
			}
			if l+2 < len(params) {
				next[o] = between(next[o])
			}
		}
		x = next
	}
	return x
}

func rectified(x float64) float64 { return max(0, x) }

var small = net.MLP{In: 3, Hidden: []int{7, 5}, Out: 4}

// requireLoops requires two runs of networks, each with some outputs, to agree with loops over single networks, with
// inputs shared by the runs and with separate inputs.
func requireLoops(t *testing.T, params []*tensors.Tensor, networks, outputs, in int, between func(float64) float64,
	apply func(params []*Node, x *Node) *Node) {
	t.Helper()
	own := inputs(2, 6, in)
	for _, x := range []testkit.Array{own, own.Run(0)} {
		arrays := seen(params)
		got := testkit.Compile(t, func(in []*Node) []*Node {
			return []*Node{apply(in[:len(in)-1], in[len(in)-1])}
		}).Call(t, arrays, x)[0]
		want := testkit.NewArray(2, 6, networks*outputs)
		for i := range 12 * networks {
			row, at := i/networks, i/networks*in%len(x.Data)
			copy(want.Data[i*outputs:], loops(arrays, row/6*networks+i%networks, between, x.Data[at:at+in]))
		}
		testkit.RequireClose(t, want, got, 1e-13, "loops")
	}
}

func TestApplyIsThePlainLoop(t *testing.T) {
	for _, m := range []net.MLP{small, {In: 2, Out: 3}, {In: 1, Hidden: []int{4}, Out: 1}} {
		requireLoops(t, m.Init([]int64{4, -9}), 1, m.Out, m.In, rectified, m.Apply)
	}
}

// TestNaNPassesThroughReLU: a NaN must reach the loss.
func TestNaNPassesThroughReLU(t *testing.T) {
	x := inputs(2, 3)
	x.Data[1] = math.NaN()
	out := testkit.Compile(t, func(in []*Node) []*Node {
		return []*Node{small.Apply(in[:len(in)-1], in[len(in)-1])}
	}).Call(t, seen(small.Init([]int64{1})), x)[0].Data
	for j := range small.Out {
		assert.True(t, math.IsNaN(out[j]))
		assert.False(t, math.IsNaN(out[small.Out+j]))
	}
}

// TestInitialWeights: a normal truncated at two standard deviations has mean 0 and variance 1 − 2·2φ(2)/(2Φ(2)−1).
func TestInitialWeights(t *testing.T) {
	m := net.MLP{In: 400, Hidden: []int{100}, Out: 50}
	params := m.Init([]int64{7, 8})
	density := math.Exp(-2) / math.Sqrt(2*math.Pi)
	std := math.Sqrt(1 - 4*density/math.Erf(math.Sqrt2))
	for i, in := range []int{400, 100} {
		w := tensorx.Numbers(params[2*i])
		floats.Scale(math.Sqrt(float64(in)), w)
		n := float64(len(w))
		assert.InDelta(t, 0, stat.Mean(w, nil), 4*std/math.Sqrt(n))
		assert.InDelta(t, std, stat.StdDev(w, nil), 4*std/math.Sqrt(2*n))
		largest := floats.Norm(w, math.Inf(1))
		assert.LessOrEqual(t, largest, 2+1e-6)
		assert.Greater(t, largest, 1.98, "values reach the truncation")
		assert.Zero(t, floats.Norm(tensorx.Numbers(params[2*i+1]), 2))
	}
}

func TestApplyPanicsIfShapesDoNotFit(t *testing.T) {
	seeds := []int64{1, 2}
	mlp, disjoint := net.MLP{In: 3, Hidden: []int{4}, Out: 2}, net.Disjoint{In: 3, Hidden: []int{4}, Out: 2}
	fourier := net.Fourier{Dims: 3, Frequencies: 5, Scales: []float64{1}}
	mixed := append(slices.Clone(mlp.Init(seeds)[:1]), mlp.Init(seeds[:1])[1:]...) // one run instead of two
	type apply = func(params []*Node, x *Node) *Node
	waves := func(params []*Node, x *Node) *Node { return disjoint.Apply(params, jet.Inputs(x)).Value }
	features := func(params []*Node, x *Node) *Node { return fourier.Apply(params[0], jet.Inputs(x)).Value }
	for _, c := range []struct {
		apply  apply
		params []*tensors.Tensor
		x      []int
		want   string
	}{
		{mlp.Apply, mlp.Init(seeds), []int{2, 6, 4}, "inputs"},
		{mlp.Apply, mlp.Init(seeds), []int{5, 6, 3}, "inputs"},
		{mlp.Apply, mlp.Init(seeds)[:2], []int{6, 3}, "2 parameters"},
		{mlp.Apply, mixed, []int{6, 3}, "parameter 1"},
		{waves, disjoint.Init(seeds), []int{6, 2}, "inputs"},
		{waves, disjoint.Init(seeds)[2:], []int{6, 3}, "2 parameters"},
		{features, []*tensors.Tensor{fourier.Init(seeds)}, []int{2, 2, 6, 3}, "inputs"},
		{features, mlp.Init(seeds)[:1], []int{6, 3}, "parameter 0"},
	} {
		exec := testkit.Compile(t, func(in []*Node) []*Node {
			return []*Node{c.apply(in[:len(in)-1], in[len(in)-1])}
		})
		_, err := exec.Try(c.params, tensors.FromShape(shapes.Make(dtypes.Float32, c.x...)))
		assert.ErrorContains(t, err, c.want)
	}
}

// TestStandardised: far from zero, where float32 has steps of 1, the functions are the same as for x = 0, 1, …
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
