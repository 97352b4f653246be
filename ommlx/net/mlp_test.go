package net_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
)

// values are parameters as plain numbers, in the order of [net.MLP.Init].
type values [][]float64

// initial returns parameters with the biases set to numbers that are not zero, so that they are seen.
func initial(m net.MLP, seeds []int64) (params []*tensors.Tensor, plain values) {
	params = m.Init(seeds)
	for i, p := range params {
		x := graphtest.Flat(p)
		if i%2 == 1 {
			width := len(x) / len(seeds)
			for j := range x {
				x[j] = 0.3 * math.Sin(float64(seeds[j/width])+float64(j%width))
			}
		}
		plain = append(plain, x)
		params[i] = tensors.FromFlatDataAndDimensions(x, p.Shape().Dimensions...)
	}
	return params, plain
}

func inputs(n, in int) []float64 {
	x := make([]float64, n*in)
	for i := range x {
		x[i] = math.Sin(1.7*float64(i) + 0.2)
	}
	return x
}

// plainApply evaluates run r of the network with loops, for one input.
func plainApply(m net.MLP, p values, r int, x []float64) []float64 {
	widths := append(append([]int{m.In}, m.Hidden...), m.Out)
	h := x
	for l := 1; l < len(widths); l++ {
		in, out := widths[l-1], widths[l]
		next := make([]float64, out)
		for j := range next {
			next[j] = p[2*l-1][r*out+j]
			for i := range h {
				next[j] += h[i] * p[2*l-2][r*in*out+j*in+i]
			}
			if l+1 < len(widths) {
				next[j] = max(0, next[j])
			}
		}
		h = next
	}
	return h
}

var small = net.MLP{In: 3, Hidden: []int{7, 5}, Out: 4}

func apply(m net.MLP) func(in []*Node) []*Node {
	return func(in []*Node) []*Node { return []*Node{m.Apply(in[:len(in)-1], in[len(in)-1])} }
}

func TestApplyIsThePlainLoop(t *testing.T) {
	seeds := []int64{4, -9}
	for _, m := range []net.MLP{small, {In: 2, Out: 3}, {In: 1, Hidden: []int{4}, Out: 1}} {
		params, plain := initial(m, seeds)
		const n = 6
		shared := inputs(n, m.In)
		own := slices.Concat(shared, inputs(2*n, m.In)[n*m.In:]) // another input for the second run
		for _, c := range []struct {
			x    *tensors.Tensor
			flat []float64
		}{
			{tensors.FromFlatDataAndDimensions(shared, n, m.In), slices.Concat(shared, shared)},
			{tensors.FromFlatDataAndDimensions(own, 2, n, m.In), own},
		} {
			out := graphtest.Run(t, graphtest.Compiled(t, apply(m)), params, []*tensors.Tensor{c.x})[0]
			require.Equal(t, []int{2, n, m.Out}, out.Shape().Dimensions)
			var want []float64
			for row := range 2 * n {
				want = append(want, plainApply(m, plain, row/n, c.flat[row*m.In:(row+1)*m.In])...)
			}
			assert.InDeltaSlice(t, want, graphtest.Flat(out), 1e-13)
		}
	}
}

// TestGradient compares with central differences of the plain loop, for every parameter of both runs.
func TestGradient(t *testing.T) {
	params, plain := initial(small, []int64{5, 6})
	const n = 6
	x := inputs(n, small.In)
	loss := func() (sum float64) {
		for r := range 2 {
			for b := range n {
				for j, f := range plainApply(small, plain, r, x[b*small.In:(b+1)*small.In]) {
					sum += float64(1+j) * f * f
				}
			}
		}
		return sum
	}
	exec := graphtest.Compiled(t, func(in []*Node) []*Node {
		f := small.Apply(in[:len(in)-1], in[len(in)-1])
		weight := AddScalar(Iota(f.Graph(), f.Shape(), 2), 1)
		return Gradient(ReduceAllSum(Mul(weight, Square(f))), in[:len(in)-1]...)
	})
	grads := graphtest.Run(t, exec, params, []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, n, small.In)})
	for i := range plain {
		for j, got := range graphtest.Flat(grads[i]) {
			const h = 1e-6
			kept := plain[i][j]
			plain[i][j] = kept + h
			up := loss()
			plain[i][j] = kept - h
			down := loss()
			plain[i][j] = kept
			assert.InDelta(t, (up-down)/(2*h), got, 1e-6, "parameter %d, entry %d", i, j)
		}
	}
}

// TestNaNPassesThroughReLU, so that a run that is not finite is seen as such in its loss.
func TestNaNPassesThroughReLU(t *testing.T) {
	params, _ := initial(small, []int64{1})
	x := inputs(2, 3)
	x[1] = math.NaN()
	out := graphtest.Flat(graphtest.Run(t, graphtest.Compiled(t, apply(small)), params,
		[]*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, 2, 3)})[0])
	for j := range small.Out {
		assert.True(t, math.IsNaN(out[j]))
		assert.False(t, math.IsNaN(out[small.Out+j]))
	}
}

// TestInitialWeights: a normal cut off at two standard deviations has mean 0 and variance 1 − 2·2φ(2)/(2Φ(2)−1).
func TestInitialWeights(t *testing.T) {
	m := net.MLP{In: 400, Hidden: []int{100}, Out: 50}
	params := m.Init([]int64{7, 8})
	density := math.Exp(-2) / math.Sqrt(2*math.Pi)
	std := math.Sqrt(1 - 4*density/math.Erf(math.Sqrt2))
	for i, in := range []int{400, 100} {
		w := graphtest.Flat(params[2*i])
		for j := range w {
			w[j] *= math.Sqrt(float64(in))
		}
		n := float64(len(w))
		assert.InDelta(t, 0, stat.Mean(w, nil), 4*std/math.Sqrt(n))
		assert.InDelta(t, std, stat.StdDev(w, nil), 4*std/math.Sqrt(2*n))
		largest := 0.0
		for _, v := range w {
			largest = max(largest, math.Abs(v))
		}
		assert.LessOrEqual(t, largest, 2+1e-6)
		assert.Greater(t, largest, 1.98, "the law reaches to its cut-off")
		for _, b := range graphtest.Flat(params[2*i+1]) {
			assert.Zero(t, b)
		}
	}
}

// TestInputsAndParametersThatDoNotFit: the sentence names the network's In and the shape of what it was given.
func TestInputsAndParametersThatDoNotFit(t *testing.T) {
	mlp, disjoint := net.MLP{In: 3, Hidden: []int{4}, Out: 2}, net.Disjoint{In: 3, Hidden: []int{4}, Out: 2}
	fourier := net.Fourier{Dims: 3, Frequencies: 5, Scales: []float64{1}}
	apply := map[string]func(params []*Node, x *Node) *Node{
		"net.MLP":      mlp.Apply,
		"net.Disjoint": func(params []*Node, x *Node) *Node { return disjoint.Apply(params, jet.Inputs(x)).Value },
		"net.Fourier":  func(params []*Node, x *Node) *Node { return fourier.Apply(params[0], jet.Inputs(x)).Value },
	}
	seeds := []int64{1, 2}
	params := map[string][]*tensors.Tensor{
		"net.MLP": mlp.Init(seeds), "net.Disjoint": disjoint.Init(seeds), "net.Fourier": {fourier.Init(seeds)},
	}
	complaint := func(name string, params []*tensors.Tensor, dims ...int) string {
		exec := graphtest.Compiled(t, func(in []*Node) []*Node {
			return []*Node{apply[name](in[:len(in)-1], in[len(in)-1])}
		})
		var in []any
		for _, p := range params {
			in = append(in, p)
		}
		_, err := exec.Call(append(in, tensors.FromShape(shapes.Make(dtypes.Float32, dims...)))...)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for name, p := range params {
		assert.Empty(t, complaint(name, p, 6, 3))
		assert.Empty(t, complaint(name, p, 2, 6, 3))
		for says, dims := range map[string][]int{
			"[6 2]; give [B, 3] or [2, B, 3]":     {6, 2},
			"[2 6 4]; give [B, 3] or [2, B, 3]":   {2, 6, 4},
			"[5 6 3]; give [B, 3] or [2, B, 3]":   {5, 6, 3}, // another number of runs
			"[1 2 6 3]; give [B, 3] or [2, B, 3]": {1, 2, 6, 3},
			"[2 6 4 4]; give [B, 3] or [2, B, 3]": {2, 6, 4, 4},
		} {
			assert.Contains(t, complaint(name, p, dims...),
				name+" takes 3 numbers for each sample, but the inputs have the shape "+says)
		}
		other := slices.Clone(p)
		other[0] = tensors.FromShape(shapes.Make(dtypes.Float32, 2, 7, 3))
		if name == "net.Disjoint" {
			other[0] = tensors.FromShape(shapes.Make(dtypes.Float32, 2, 2, 7, 3))
		}
		assert.Contains(t, complaint(name, other, 6, 3), name+": parameter 0 has the shape [2 ")
		assert.Contains(t, complaint(name, other, 6, 3), "] behind the axis of runs")
	}
	for _, name := range []string{"net.MLP", "net.Disjoint"} {
		assert.Contains(t, complaint(name, params[name][:2], 6, 3), name+" takes 4 parameters with these fields, got 2")
	}
	mixed := append(slices.Clone(params["net.MLP"][:1]), mlp.Init(seeds[:1])[1:]...) // of two runs and of one
	assert.Contains(t, complaint("net.MLP", mixed, 6, 3), "parameter 1 has the shape [1 4]; it must be [4] behind")
}
