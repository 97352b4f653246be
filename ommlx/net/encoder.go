package net

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Backbone is a network whose features representations are judged by: [ResNet18] or [ResidualMLP].
type Backbone interface {
	Init(seeds []int64) []*tensors.Tensor
	InitState(runs int) []*tensors.Tensor
	Train(params, state []*Node, views ...*Node) (features, next []*Node)
	Apply(params, state []*Node, x *Node) *Node
	network() network
}

// Encoder is a backbone and what makes functions of its features. Parameters and running statistics are those of the
// backbone, then those of the projector.
type Encoder struct {
	Backbone  Backbone
	Projector *Projector // nil: the functions are the first Top features (DirectCLR)
	Top       int
}

// Init returns the parameters and running statistics of runs before the first step, as those of the parts.
func (e Encoder) Init(seeds []int64) (params, state []*tensors.Tensor) {
	params, state = e.Backbone.Init(seeds), e.Backbone.InitState(len(seeds))
	if e.Projector != nil {
		params = append(params, e.Projector.Init(seeds)...)
		state = append(state, e.Projector.InitState(len(seeds))...)
	}
	return params, state
}

// Train returns the functions [R, B, k] of each view's inputs, and the next running statistics; see [ResNet18.Train].
func (e Encoder) Train(params, state []*Node, views ...*Node) (f, next []*Node) {
	p, s := e.parts()
	f, next = e.Backbone.Train(params[:p], state[:s], views...)
	if e.Projector == nil {
		for i := range f {
			f[i] = e.top(f[i])
		}
		return f, next
	}
	f, after := e.Projector.Train(params[p:], state[s:], f...)
	return f, append(next, after...)
}

// Apply returns the features [R, B, d] of the backbone and the functions [R, B, k], by the running statistics.
func (e Encoder) Apply(params, state []*Node, x *Node) (features, f *Node) {
	p, s := e.parts()
	features = e.Backbone.Apply(params[:p], state[:s], x)
	if e.Projector == nil {
		return features, e.top(features)
	}
	return features, e.Projector.Apply(params[p:], state[s:], features)
}

// parts are how many parameters and statistics the backbone has.
func (e Encoder) parts() (params, state int) {
	net := e.Backbone.network()
	return len(net.params), len(net.statistics)
}

func (e Encoder) top(features *Node) *Node {
	return Slice(features, AxisRange(), AxisRange(), AxisRange(0, e.Top))
}

// Projector is the network between the features and the objective in self-supervised learning: linear layers with batch
// normalisation and ReLU between them,
//
//	h ← ReLU(N(W h + b)),   Layers times,   then   f = W h + b.
//
// The paper has Linear(d, 2048)-BN-ReLU-Linear(2048, 2048)-BN-ReLU-Linear(2048, 256) on images (Section C.3). On graphs
// its "8192-4096" is Linear(d, 8192)-BN-ReLU-Linear(8192, 4096) in the code that it builds on (thudzj/NEigenmaps at
// commit 008a379, graph/main_products.py); there the first matrix has no b, which N takes away again. SimCLR in
// solo-learn has Linear(d, 2048)-ReLU-Linear(2048, 256), Plain with one layer (solo/methods/simclr.py at commit
// 9187ea3).
type Projector struct {
	In       int  // d, the number of features
	Hidden   int  // width of the hidden layers, 2048 when zero (the paper, on images)
	Layers   int  // hidden layers, 2 when zero (the paper, on images)
	Out      int  // k, the number of functions, 256 when zero (the paper, on images)
	Plain    bool // without normalisation, h ← ReLU(W h + b)
	BFloat16 bool // as that of [ResNet18]
}

// Validate returns an error that names the width that is out of range.
func (p Projector) Validate() error {
	if p.Layers < 0 || p.Layers > mostDeep {
		return fmt.Errorf("projector: there are %d hidden layers; give from 1 to %d, or 0 for the paper's 2", p.Layers,
			mostDeep)
	}
	if p.In < 1 || p.Hidden < 0 || p.Out < 0 || max(p.In, p.Hidden, p.Out) > mostWide {
		return fmt.Errorf("projector: the widths are %d, %d and %d; each must be from 1 to %d, and the second and "+
			"third may be 0 for the paper's", p.In, p.Hidden, p.Out, mostWide)
	}
	return nil
}

// Outputs is k, the number of functions.
func (p Projector) Outputs() int { return cmp.Or(p.Out, 256) }

// hidden is the number of layers before the last one.
func (p Projector) hidden() int { return cmp.Or(p.Layers, 2) }

func (p Projector) network() network {
	net := network{name: "Projector", stream: 0x9c0, bfloat16: p.BFloat16, input: rowsOf("Projector", p.In),
		pass: func(l *layers, x *Node) *Node { return l.project(p, x) }}
	in, hidden := p.In, cmp.Or(p.Hidden, 2048)
	for range p.hidden() {
		if net.params, in = append(net.params, dense(in, hidden)...), hidden; !p.Plain {
			net.params = append(net.params, normWeights(hidden)...)
			net.statistics = append(net.statistics, normStatistics(hidden)...)
		}
	}
	net.params = append(net.params, dense(in, p.Outputs())...)
	return net
}

// Init draws initial parameters for len(seeds) runs, in float32 and in the order of PyTorch's named_parameters:
// matrices [R, out, in] and biases [R, out], uniform in ±1/√in as PyTorch has them, γ = 1 and β = 0. Run r depends on
// seeds[r] alone.
func (p Projector) Init(seeds []int64) []*tensors.Tensor { return p.network().start(seeds) }

// InitState returns the running statistics of runs before the first batch, as [ResNet18.InitState] does.
func (p Projector) InitState(runs int) []*tensors.Tensor { return p.network().startState(runs) }

// Train returns the functions [R, B, k] of each view's features [R, B, d], and the next running statistics; see
// [ResNet18.Train]. It panics, as all graph building does, with one sentence when shapes do not fit.
func (p Projector) Train(params, state []*Node, views ...*Node) (f, next []*Node) {
	return p.network().train(params, state, views)
}

// Apply returns the functions [R, B, k] of features x [B, d] (the same for every run) or [R, B, d], normalised by the
// running statistics. It panics as [Projector.Train] does.
func (p Projector) Apply(params, state []*Node, x *Node) *Node {
	return p.network().apply(params, state, x)
}

func (l *layers) project(p Projector, x *Node) *Node {
	for range p.hidden() {
		if x = l.dense(x); !p.Plain {
			x = l.norm(x)
		}
		x = relu(x)
	}
	return l.dense(x)
}
