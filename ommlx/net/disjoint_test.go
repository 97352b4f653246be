package net_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
)

var waves = net.Disjoint{In: 2, Hidden: []int{7, 5}, Out: 3}

// seen returns parameters in float64 with biases that are not zero.
func seen(t *testing.T, params []*tensors.Tensor) []*tensors.Tensor {
	t.Helper()
	out := make([]*tensors.Tensor, len(params))
	for i, p := range params {
		x := graphtest.Flat(p)
		for j := range x {
			if i%2 == 1 {
				x[j] = 0.3 * math.Cos(float64(i+j))
			}
		}
		out[i] = tensors.FromFlatDataAndDimensions(x, p.Shape().Dimensions...)
	}
	return out
}

// TestDisjointIsEachNetworkAlone: values are those of loops over one network at a time, with the inputs shared by the
// runs and with inputs for each.
func TestDisjointIsEachNetworkAlone(t *testing.T) {
	const runs, n = 2, 6
	params := seen(t, waves.Init([]int64{3, 4}))
	shared := inputs(n, 2)
	for _, dims := range [][]int{{n, 2}, {runs, n, 2}} {
		points := shared
		if len(dims) == 3 {
			points = inputs(runs*n, 2)
		}
		x := tensors.FromFlatDataAndDimensions(points, dims...)
		exec := graphtest.Compiled(t, func(in []*Node) []*Node {
			return []*Node{waves.Apply(in[:len(in)-1], jet.Inputs(in[len(in)-1])).Value}
		})
		out := graphtest.Run(t, exec, params, []*tensors.Tensor{x})[0]
		require.Equal(t, []int{runs, n, 3}, out.Shape().Dimensions)
		values := graphtest.Flat(out)
		for r := range runs {
			for b := range n {
				at := points[b*2 : b*2+2]
				if len(dims) == 3 {
					at = points[(r*n+b)*2 : (r*n+b)*2+2]
				}
				for i := range 3 {
					assert.InDelta(t, alone(params, r*3+i, at), values[(r*n+b)*3+i], 1e-12)
				}
			}
		}
	}
}

// alone evaluates one network, counted over runs and networks, at one point.
func alone(params []*tensors.Tensor, network int, x []float64) float64 {
	h := x
	for l := 0; l < len(params); l += 2 {
		shape := params[l].Shape().Dimensions
		out, in := shape[2], shape[3]
		w, b := graphtest.Flat(params[l])[network*out*in:], graphtest.Flat(params[l+1])[network*out:]
		next := make([]float64, out)
		for o := range next {
			next[o] = b[o]
			for i := range in {
				next[o] += w[o*in+i] * h[i]
			}
			if l+2 < len(params) {
				next[o] = math.Log1p(math.Exp(next[o]))
			}
		}
		h = next
	}
	return h[0]
}

// TestWaveFunction: the Laplacian of networks on Fourier features behind a mask is that of finite differences, in every
// run.
func TestWaveFunction(t *testing.T) {
	const runs, n, a = 2, 9, 3.0
	fourier := net.Fourier{Dims: 2, Frequencies: 6, Scales: []float64{0.05, 0.3}}
	waves := net.Disjoint{In: fourier.Features(), Hidden: []int{8, 8}, Out: 3}
	seeds := []int64{1, 2}
	params := append(seen(t, waves.Init(seeds)), seen(t, []*tensors.Tensor{fourier.Init(seeds)})...)
	wave := func(params []*Node, x *Node) jet.Jet {
		last := len(params) - 1
		in := jet.Inputs(x)
		return jet.Mul(waves.Apply(params[:last], fourier.Apply(params[last], in)), net.BoxMask(in, a))
	}
	exec := graphtest.Compiled(t, func(in []*Node) []*Node {
		last := len(in) - 1
		f := wave(in[:last], in[last])
		d := jet.Differences(func(x *Node) *Node { return wave(in[:last], x).Value }, in[last], 1e-4)
		return []*Node{f.Value, d.Value, f.Laplacian, d.Laplacian}
	})
	points := inputs(runs*n, 2)
	for i := range points {
		points[i] *= 2
	}
	out := graphtest.Run(t, exec, params, []*tensors.Tensor{tensors.FromFlatDataAndDimensions(points, runs, n, 2)})
	require.Equal(t, []int{runs, n, 3}, out[0].Shape().Dimensions)
	assert.InDeltaSlice(t, graphtest.Flat(out[1]), graphtest.Flat(out[0]), 1e-12)
	// h² and rounding over h² are both 1e-8, times derivatives.
	assert.InDeltaSlice(t, graphtest.Flat(out[3]), graphtest.Flat(out[2]), 1e-5)
	assert.Greater(t, math.Abs(graphtest.Flat(out[2])[0]), 0.01)
}

func TestFrequenciesHaveTheirScales(t *testing.T) {
	const n = 4000
	f := net.Fourier{Dims: 2, Frequencies: 2 * n, Scales: []float64{0.1, 3}}
	flat := graphtest.Flat(f.Init([]int64{5}))
	for i, scale := range f.Scales {
		sum := 0.0
		for _, w := range flat[i*2*n : (i+1)*2*n] {
			sum += w * w
		}
		// The variance of n normals has relative deviation √(2/n).
		assert.InEpsilon(t, math.Pow(2*math.Pi*scale, 2), sum/(2*n), 4*math.Sqrt(2/(2.0*n)))
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
	assert.ErrorContains(t, d.Scale(params, 1), "1 factors for 4 parameters")
	assert.ErrorContains(t, d.Scale(params[:2], 1, 1), "give 4 parameters")
}
