package jet_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/diff/fd"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// Sizes of the network of these tests.
const points, dims, frequencies, hidden, functions = 5, 2, 3, 4, 2

// network is a perceptron on Fourier features. params are frequencies, then weights and biases, none in the last layer.
func network(params []*Node, x jet.Jet) jet.Jet {
	phase := jet.Dense(x, params[0], nil)
	h := jet.Softplus(jet.Dense(jet.SinCos(phase), params[1], params[2]))
	h = jet.Softplus(jet.Dense(h, params[3], params[4]))
	return jet.Dense(h, params[5], nil)
}

// plain evaluates one such network with GoMLX's operations.
func plain(params []*Node) func(x *Node) *Node {
	product := func(x, w *Node) *Node { return DotGeneral(x, []int{1}, nil, w, []int{1}, nil) }
	biased := func(x, b *Node) *Node { return Add(x, BroadcastToShape(InsertAxes(b, 0), x.Shape())) }
	return func(x *Node) *Node {
		phase := product(x, params[0])
		h := Concatenate([]*Node{Sin(phase), Cos(phase)}, 1)
		h = Log1p(Exp(biased(product(h, params[1]), params[2])))
		return product(Log1p(Exp(biased(product(h, params[3]), params[4]))), params[5])
	}
}

// parameters draws networks for all entries of the leading axes.
func parameters(rng *rand.Rand, lead ...int) (params []testkit.Array) {
	for _, d := range [][]int{
		{frequencies, dims}, {hidden, 2 * frequencies}, {hidden}, {hidden, hidden}, {hidden}, {functions, hidden},
	} {
		params = append(params, testkit.Gaussian(rng, slices.Concat(lead, d)...).Scaled(0.9))
	}
	return params
}

// entry returns entry i of the leading axes of x, an array of the given rank.
func entry(x testkit.Array, i, rank int) testkit.Array {
	part := testkit.NewArray(x.Dims[len(x.Dims)-rank:]...)
	copy(part.Data, x.Data[i*len(part.Data):])
	return part
}

// nestedReverse computes f(x), [B, w], and its Laplacian by applying reverse mode twice.
func nestedReverse(f func(x *Node) *Node, x *Node) (value, laplacian *Node) {
	value = f(x)
	var columns []*Node
	for i := range value.Shape().Dim(-1) {
		grad := Gradient(ReduceAllSum(SliceAxis(value, -1, AxisElem(i))), x)[0]
		sum := ZerosLike(SliceAxis(x, -1, AxisElem(0)))
		for d := range x.Shape().Dim(-1) {
			second := Gradient(ReduceAllSum(SliceAxis(grad, -1, AxisElem(d))), x)[0]
			sum = Add(sum, SliceAxis(second, -1, AxisElem(d)))
		}
		columns = append(columns, sum)
	}
	return value, Concatenate(columns, -1)
}

// TestNestedReverseOfJets differentiates layers twice on XLA, where Dense has a gradient of its own.
func TestNestedReverseOfJets(t *testing.T) {
	layers := func(x, w *Node) jet.Jet {
		u := jet.Dense(jet.Inputs(x), w, nil)
		return jet.Dense(jet.Mul(u, u), w, nil)
	}
	out := testkit.CompileFor(t, testkit.XLA(t), func(in []*Node) []*Node {
		x, w := in[0], in[1]
		value, laplacian := nestedReverse(func(x *Node) *Node { return layers(x, w).Value }, x)
		return []*Node{value, layers(x, w).Value, laplacian, layers(x, w).Laplacian}
	}).Numbers(t, [][]float64{{1, 2}, {-3, 0.5}, {0, 1}}, [][]float64{{0.5, -1}, {2, 0.25}})
	assert.InDeltaSlice(t, out[0], out[1], 1e-12)
	assert.InDeltaSlice(t, out[2], out[3], 1e-12)
}

// TestNetworksAreNestedReverse compares every way in which Dense matches leading axes with the nested reverse mode of
// single networks.
func TestNetworksAreNestedReverse(t *testing.T) {
	single := testkit.Compile(t, func(in []*Node) []*Node {
		f := plain(in[:len(in)-1])
		value, laplacian := nestedReverse(f, in[len(in)-1])
		out := []*Node{value, laplacian}
		x := in[len(in)-1]
		for d := range dims { // the gradient of each function, [B, w]
			var columns []*Node
			for i := range functions {
				grad := Gradient(ReduceAllSum(SliceAxis(f(x), 1, AxisElem(i))), x)[0]
				columns = append(columns, SliceAxis(grad, 1, AxisElem(d)))
			}
			out = append(out, Concatenate(columns, 1))
		}
		return out
	})
	for _, c := range []struct {
		weights, x []int // leading axes
		// Which network and which inputs belong to entry i of the result.
		network, inputs func(i int) int
	}{
		{nil, nil, zero, zero},
		{[]int{3}, nil, same, zero},
		{[]int{3}, []int{3}, same, same},
		{[]int{2, 3}, []int{2}, same, func(i int) int { return i / 3 }},
		{[]int{2, 3}, nil, same, zero},
	} {
		rng := testkit.NewRand(11)
		params := parameters(rng, c.weights...)
		x := testkit.Gaussian(rng, slices.Concat(c.x, []int{points, dims})...)
		got := testkit.Compile(t, func(in []*Node) []*Node {
			j := network(in[:len(in)-1], jet.Inputs(in[len(in)-1]))
			return streams(j)
		}).Call(t, params, x)
		for i := range len(got[0].Data) / (points * functions) {
			args := make([]testkit.Array, len(params))
			for p, ranks := range []int{2, 2, 1, 2, 1, 2} {
				args[p] = entry(params[p], c.network(i), ranks)
			}
			own := xslices.Map(got, func(stream testkit.Array) testkit.Array { return entry(stream, i, 2) })
			testkit.RequireAllClose(t, single.Call(t, args, entry(x, c.inputs(i), 2)), own, 1e-12,
				fmt.Sprintf("weights %v, inputs %v", c.weights, c.x))
		}
	}
}

func zero(int) int   { return 0 }
func same(i int) int { return i }

// TestParameterGradient compares the reverse-mode gradient of a loss of all streams with central differences, for every
// parameter of M networks in R runs.
func TestParameterGradient(t *testing.T) {
	rng := testkit.NewRand(11)
	const runs, modes = 2, 2
	args := append(parameters(rng, runs, modes), testkit.Gaussian(rng, runs, points, dims))
	last := len(args) - 1
	exec := testkit.Compile(t, func(in []*Node) []*Node {
		j := network(in[:last], jet.Inputs(in[last]))
		j = jet.Mul(j, jet.Exp(jet.Scale(j, -0.5)))
		loss := ScalarZero(in[0].Graph(), in[0].DType())
		for s, x := range streams(j) {
			weight := Sin(AddScalar(Iota(x.Graph(), x.Shape(), -2), float64(s))) // distinguishes entries
			loss = Add(loss, ReduceAllSum(Mul(weight, Mul(x, AddScalar(x, 1.)))))
		}
		return append([]*Node{loss}, Gradient(loss, in[:last]...)...)
	})
	got := exec.Call(t, args)
	for p := range last {
		changed, want := slices.Clone(args), args[p].Clone()
		fd.Gradient(want.Data, func(values []float64) float64 {
			changed[p].Data = values
			return exec.Call(t, changed)[0].Data[0]
		}, args[p].Data, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		testkit.RequireClose(t, want, got[p+1], 1e-8, fmt.Sprint("parameter ", p))
	}
}
