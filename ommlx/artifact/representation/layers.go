package representation

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/tensorx"
)

// layer is a part of a network: its parameters and running statistics, in PyTorch's order, and its forward pass.
type layer struct {
	params, statistics []tensorx.Weight
	pass               func(s *supply, x *Node) *Node
}

// supply passes the parameters and running statistics of a network to its layers, in the order of the lists, and
// collects the next statistics.
type supply struct {
	params, statistics []*Node // not used yet
	next               []*Node // the next statistics, in training
	views              int     // the number of views in training, 0 otherwise
	bfloat16           bool    // compute products in bfloat16
}

// network is a backbone or a projector, as [Encoder] needs it.
type network struct {
	layer         // all layers
	stream uint64 // of the random numbers for the initial parameters
	rank   int    // of an input [B, …]
}

func (s *supply) param() *Node {
	p := s.params[0]
	s.params = s.params[1:]
	return p
}

// product computes a product, in bfloat16 if requested, and returns it in the type of x.
func (s *supply) product(x, w *Node, of func(x, w *Node) *Node) *Node {
	if !s.bfloat16 {
		return of(x, w)
	}
	return ConvertDType(of(ConvertDType(x, dtypes.BFloat16), ConvertDType(w, dtypes.BFloat16)), x.DType())
}

// chain applies layers in order; the empty chain is the identity.
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
	both.pass = func(s *supply, x *Node) *Node { return tensorx.ReLU(Add(of.pass(s, x), shortcut.pass(s, x))) }
	return both
}

var rectifier = layer{pass: func(_ *supply, x *Node) *Node { return tensorx.ReLU(x) }}

// convolution has a k×k kernel and no bias, see [convolve]. It is initialised as in torchvision: normal with variance
// 2/(k²·out), He et al. (2015) for the backward pass.
func convolution(k, in, out, stride, padding int) layer {
	kernel := tensorx.Normal(math.Sqrt(2/float64(k*k*out)), k, k, in, out)
	return layer{params: []tensorx.Weight{kernel}, pass: func(s *supply, x *Node) *Node {
		return s.product(x, s.param(), func(x, w *Node) *Node { return convolve(x, w, stride, padding) })
	}}
}

// dense is the linear layer W x + b, initialised as in PyTorch: uniform in ±1/√in.
func dense(in, out int) layer {
	bound := 1 / math.Sqrt(float64(in))
	params := []tensorx.Weight{tensorx.Uniform(bound, out, in), tensorx.Uniform(bound, out)}
	return layer{params: params, pass: func(s *supply, x *Node) *Node {
		w, b := s.param(), s.param()
		return s.product(x, w, func(x, w *Node) *Node {
			y := tensorx.PerRun(x, w)
			return Add(y, BroadcastToShape(InsertAxes(ConvertDType(b, w.DType()), 1), y.Shape()))
		})
	}}
}

// linear is a [dense] layer without bias.
func linear(in, out int) layer {
	return layer{params: dense(in, out).params[:1],
		pass: func(s *supply, x *Node) *Node { return s.product(x, s.param(), tensorx.PerRun) }}
}

// norm is a batch normalisation of width channels, see [normalise].
func norm(width int) layer {
	zero, one := tensorx.Constant(0, width), tensorx.Constant(1, width)
	return layer{[]tensorx.Weight{one, zero}, []tensorx.Weight{zero, one}, func(s *supply, x *Node) *Node {
		affine, running := [2]*Node{s.param(), s.param()}, [2]*Node(s.statistics)
		s.statistics = s.statistics[2:]
		if s.views == 0 {
			return scaled(x, affine, running)
		}
		y, next := normalise(s.views, x, affine, running)
		s.next = append(s.next, next[:]...)
		return y
	}}
}
