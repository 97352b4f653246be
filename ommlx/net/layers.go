package net

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// layer is a part of a network: its parameters and running statistics, in PyTorch's order, and what it makes of inputs
// with those that it is supplied with.
type layer struct {
	params, statistics []weight
	pass               func(s *supply, x *Node) *Node
}

// supply hands the parameters and running statistics of a network to its layers, in the order in which they are listed,
// and collects the statistics after the pass.
type supply struct {
	params, statistics []*Node // not used yet
	next               []*Node // the new statistics, in training
	views              int     // in training, how many there are, one after the other; 0 otherwise
	bfloat16           bool    // whether products are of bfloat16
}

// network is what networks of layers differ in.
type network struct {
	layer           // all of them
	name     string // of the type, for panics
	stream   uint64 // of the random numbers of the start
	bfloat16 bool
	input    func(x *Node, runs int) *Node // checks an input, and gives each run its own
}

// begin checks that params and state are those of the network, and for how many runs they are. It panics with one
// sentence if they are not.
func (n network) begin(params, state []*Node) (s *supply, runs int) {
	requireParams(n.name, params, shapesOf(n.params))
	runs = params[0].Shape().Dim(0)
	requireState(n.name, state, shapesOf(n.statistics), runs)
	return &supply{params: params, statistics: state, bfloat16: n.bfloat16}, runs
}

// train passes views [R, B, …] through the network together, one after the other on the axis of samples, and returns
// what comes out for each, and the next statistics. So the program is half as long for two views, which matters for the
// time of its compilation, and its products are larger.
func (n network) train(params, state, views []*Node) (each, next []*Node) {
	s, runs := n.begin(params, state)
	views = sameViews(n.name, views, func(x *Node) *Node { return n.input(x, runs) })
	s.views = len(views)
	all := views[0]
	if s.views > 1 {
		all = Concatenate(views, 1)
	}
	return Split(n.pass(s, all), 1, s.views), s.next
}

func (n network) apply(params, state []*Node, x *Node) *Node {
	s, runs := n.begin(params, state)
	return n.pass(s, n.input(x, runs))
}

func (s *supply) param() *Node {
	p := s.params[0]
	s.params = s.params[1:]
	return p
}

// product takes a product in bfloat16 if that was asked for, and returns it in the type of x.
func (s *supply) product(x, w *Node, of func(x, w *Node) *Node) *Node {
	if !s.bfloat16 {
		return of(x, w)
	}
	return ConvertDType(of(ConvertDType(x, dtypes.BFloat16), ConvertDType(w, dtypes.BFloat16)), x.DType())
}

// chain is one layer behind the other; without any, it returns its inputs.
func chain(list ...layer) layer {
	all := layer{pass: func(s *supply, x *Node) *Node {
		for _, next := range list {
			x = next.pass(s, x)
		}
		return x
	}}
	for _, next := range list {
		all.params = append(all.params, next.params...)
		all.statistics = append(all.statistics, next.statistics...)
	}
	return all
}

// residual is ReLU(of(x) + shortcut(x)).
func residual(of, shortcut layer) layer {
	both := chain(of, shortcut)
	both.pass = func(s *supply, x *Node) *Node { return relu(Add(of.pass(s, x), shortcut.pass(s, x))) }
	return both
}

var rectifier = layer{pass: func(_ *supply, x *Node) *Node { return relu(x) }}

// convolution is one by a k×k kernel without bias, see [convolve]. It starts as torchvision's do: normal with variance
// 2/(k²·out), He et al. (2015) for the backward pass.
func convolution(k, in, out, stride, padding int) layer {
	kernel := weight{[]int{k, k, in, out}, normal(math.Sqrt(2 / float64(k*k*out)))}
	return layer{params: []weight{kernel}, pass: func(s *supply, x *Node) *Node {
		return s.product(x, s.param(), func(x, w *Node) *Node { return convolve(x, w, stride, padding) })
	}}
}

// dense is a linear layer, see [affine], that starts as PyTorch's do: uniform in ±1/√in.
func dense(in, out int) layer {
	bound := uniform(1 / math.Sqrt(float64(in)))
	return layer{params: []weight{{[]int{out, in}, bound}, {[]int{out}, bound}}, pass: func(s *supply, x *Node) *Node {
		w, b := s.param(), s.param()
		return s.product(x, w, func(x, w *Node) *Node { return affine(x, w, ConvertDType(b, w.DType())) })
	}}
}

// linear is a [dense] layer without bias.
func linear(in, out int) layer {
	return layer{params: dense(in, out).params[:1],
		pass: func(s *supply, x *Node) *Node { return s.product(x, s.param(), matrix) }}
}

// norm is a batch normalisation of width channels, with γ and β and the running mean and variance; see [normalise].
func norm(width int) layer {
	zero, one := weight{[]int{width}, constant(0)}, weight{[]int{width}, constant(1)}
	return layer{[]weight{one, zero}, []weight{zero, one}, func(s *supply, x *Node) *Node {
		gamma, beta := s.param(), s.param()
		mean, variance := s.statistics[0], s.statistics[1]
		s.statistics = s.statistics[2:]
		if s.views == 0 {
			return scaled(x, gamma, beta, mean, variance)
		}
		y, mean, variance := normalise(s.views, x, gamma, beta, mean, variance)
		s.next = append(s.next, mean, variance)
		return y
	}}
}

// weight is one parameter, or one running statistic, of a network: its shape without the axis of runs, and how its
// entries start.
type weight struct {
	shape []int
	start func(*rand.Rand) float64
}

// truncated draws normal numbers of a deviation that are at most twice as large, by rejection.
func truncated(std float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		for {
			if z := rng.NormFloat64(); math.Abs(z) <= 2 {
				return std * z
			}
		}
	}
}

func constant(c float64) func(*rand.Rand) float64 { return func(*rand.Rand) float64 { return c } }

func normal(std float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return std * rng.NormFloat64() }
}

func uniform(bound float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return bound * (2*rng.Float64() - 1) }
}

// draw returns the first values of weights for len(seeds) runs, each [R, shape…] in float32. Run r depends on seeds[r]
// alone, and on stream, which is another one for each type of network.
func draw(weights []weight, seeds []int64, stream uint64) []*tensors.Tensor {
	flat := make([][]float32, len(weights))
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), stream))
		for i, w := range weights {
			for range shapes.Make(dtypes.Float32, w.shape...).Size() {
				flat[i] = append(flat[i], float32(w.start(rng)))
			}
		}
	}
	all := make([]*tensors.Tensor, len(weights))
	for i, w := range weights {
		all[i] = tensors.FromFlatDataAndDimensions(flat[i], append([]int{len(seeds)}, w.shape...)...)
	}
	return all
}

func shapesOf(weights []weight) [][]int {
	list := make([][]int, len(weights))
	for i, w := range weights {
		list[i] = w.shape
	}
	return list
}
