package net

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// layers hands the parameters and running statistics of a network to its layers, in the order in which they are listed,
// and collects the statistics after the pass.
type layers struct {
	params, statistics []*Node // not used yet
	next               []*Node // the new statistics, in training
	views              int     // in training, how many there are, one after the other; 0 otherwise
	bfloat16           bool    // whether products are of bfloat16
}

// network is what networks of layers differ in.
type network struct {
	name               string   // of the type, for panics
	params, statistics []weight // in PyTorch's order
	stream             uint64   // of the random numbers of the start
	bfloat16           bool
	input              func(x *Node, runs int) *Node // checks an input, and gives each run its own
	pass               func(l *layers, x *Node) *Node
}

// begin checks that params and state are those of the network, and for how many runs they are. It panics with one
// sentence if they are not.
func (n network) begin(params, state []*Node) (l *layers, runs int) {
	requireParams(n.name, params, shapesOf(n.params))
	runs = params[0].Shape().Dim(0)
	requireState(n.name, state, shapesOf(n.statistics), runs)
	return &layers{params: params, statistics: state, bfloat16: n.bfloat16}, runs
}

// train passes views [R, B, …] through the network together, one after the other on the axis of samples, and returns
// what comes out for each, and the next statistics. So the program is half as long for two views, which matters for the
// time of its compilation, and its products are larger.
func (n network) train(params, state, views []*Node) (each, next []*Node) {
	l, runs := n.begin(params, state)
	views = sameViews(n.name, views, func(x *Node) *Node { return n.input(x, runs) })
	l.views = len(views)
	all := views[0]
	if l.views > 1 {
		all = Concatenate(views, 1)
	}
	return Split(n.pass(l, all), 1, l.views), l.next
}

func (n network) apply(params, state []*Node, x *Node) *Node {
	l, runs := n.begin(params, state)
	return n.pass(l, n.input(x, runs))
}

func (l *layers) param() *Node {
	p := l.params[0]
	l.params = l.params[1:]
	return p
}

// conv is a convolution without bias, see [convolve].
func (l *layers) conv(x *Node, stride, padding int) *Node {
	return l.product(x, l.param(), func(x, w *Node) *Node { return convolve(x, w, stride, padding) })
}

// dense is a linear layer, see [affine].
func (l *layers) dense(x *Node) *Node {
	w, b := l.param(), l.param()
	return l.product(x, w, func(x, w *Node) *Node { return affine(x, w, ConvertDType(b, w.DType())) })
}

// linear is a linear layer without bias.
func (l *layers) linear(x *Node) *Node { return l.product(x, l.param(), matrix) }

// product takes a product in bfloat16 if that was asked for, and returns it in the type of x.
func (l *layers) product(x, w *Node, of func(x, w *Node) *Node) *Node {
	if !l.bfloat16 {
		return of(x, w)
	}
	return ConvertDType(of(ConvertDType(x, dtypes.BFloat16), ConvertDType(w, dtypes.BFloat16)), x.DType())
}

// norm is a batch normalisation, see [normalise].
func (l *layers) norm(x *Node) *Node {
	gamma, beta := l.param(), l.param()
	mean, variance := l.statistics[0], l.statistics[1]
	l.statistics = l.statistics[2:]
	if l.views == 0 {
		return scaled(x, gamma, beta, mean, variance)
	}
	y, mean, variance := normalise(l.views, x, gamma, beta, mean, variance)
	l.next = append(l.next, mean, variance)
	return y
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

// convolution is a k×k kernel as torchvision's networks start it: normal with variance 2/(k²·out), He et al. (2015) for
// the backward pass.
func convolution(k, in, out int) weight {
	return weight{[]int{k, k, in, out}, normal(math.Sqrt(2 / float64(k*k*out)))}
}

// dense is the matrix and the bias of a linear layer as PyTorch starts them: uniform in ±1/√in.
func dense(in, out int) []weight {
	bound := uniform(1 / math.Sqrt(float64(in)))
	return []weight{{[]int{out, in}, bound}, {[]int{out}, bound}}
}

// normWeights are γ and β of a batch normalisation of width channels, normStatistics its running mean and variance.
func normWeights(width int) []weight {
	return []weight{{[]int{width}, constant(1)}, {[]int{width}, constant(0)}}
}

func normStatistics(width int) []weight {
	return []weight{{[]int{width}, constant(0)}, {[]int{width}, constant(1)}}
}
