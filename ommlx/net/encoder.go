package net

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Backbone is a network with running statistics, such as one whose features representations are judged by:
// [ResNet18], [ResidualMLP], or a [Projector].
type Backbone interface{ network() network }

// Encoder is a backbone and what makes functions of its features.
type Encoder struct {
	Backbone  Backbone
	Projector *Projector // nil: the functions are the first Top features (DirectCLR)
	Top       int        // 0: all of them
}

// parts are the networks, one behind the other.
func (e Encoder) parts() []network {
	if e.Projector == nil {
		return []network{e.Backbone.network()}
	}
	return []network{e.Backbone.network(), e.Projector.network()}
}

// Init returns the parameters of len(seeds) runs, and their running statistics before the first step, in float32: those
// of the backbone, then those of the projector, each in the order of PyTorch's named_parameters. Kernels are
// [R, k, k, in, out], normal with variance 2/(k²·out) as torchvision has them; matrices [R, out, in] and biases
// [R, out] are uniform in ±1/√in as PyTorch has them; γ is 1, β 0, the mean 0 and the variance 1, [R, out] each. Run r
// depends on seeds[r] alone.
func (e Encoder) Init(seeds []int64) (params, state []*tensors.Tensor) {
	for _, n := range e.parts() {
		params = append(params, draw(n.params, seeds, n.stream)...)
		state = append(state, draw(n.statistics, make([]int64, len(seeds)), 0)...)
	}
	return params, state
}

// Train returns the functions [R, B, k] of each view of a batch, and the next running statistics, as if the views went
// through the network one after the other: each is normalised by its own statistics. params and state are as from
// [Encoder.Init]; a view is [B, …], the same for every run, or [R, B, …]: images [H, W, C] for a [ResNet18], else rows.
// It panics, as all graph building does, with one sentence when shapes do not fit.
func (e Encoder) Train(params, state []*Node, views ...*Node) (f, next []*Node) {
	f = views
	e.each(params, state, func(n network, params, state []*Node) {
		var after []*Node
		f, after = n.train(params, state, f)
		next = append(next, after...)
	})
	for i := range f {
		f[i] = e.top(f[i])
	}
	return f, next
}

// Apply returns the features [R, B, d] of the backbone and the functions [R, B, k] of inputs x, normalised by the
// running statistics. It panics as [Encoder.Train] does.
func (e Encoder) Apply(params, state []*Node, x *Node) (features, f *Node) {
	f = x
	e.each(params, state, func(n network, params, state []*Node) {
		if f = n.apply(params, state, f); features == nil {
			features = f
		}
	})
	return features, e.top(f)
}

// each calls do with each of the networks, and its parameters and statistics; the last one gets all that are left.
func (e Encoder) each(params, state []*Node, do func(n network, params, state []*Node)) {
	parts := e.parts()
	for i, n := range parts {
		p, s := min(len(n.params), len(params)), min(len(n.statistics), len(state))
		if i == len(parts)-1 {
			p, s = len(params), len(state)
		}
		do(n, params[:p:p], state[:s:s])
		params, state = params[p:], state[s:]
	}
}

func (e Encoder) top(f *Node) *Node {
	if e.Projector != nil || e.Top == 0 {
		return f
	}
	return Slice(f, AxisRange(), AxisRange(), AxisRange(0, e.Top))
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

func (p Projector) network() network {
	in, hidden := p.In, cmp.Or(p.Hidden, 2048)
	var all []layer
	for range cmp.Or(p.Layers, 2) {
		if all = append(all, dense(in, hidden)); !p.Plain {
			all = append(all, norm(hidden))
		}
		all, in = append(all, rectifier), hidden
	}
	return network{name: "Projector", stream: 0x9c0, bfloat16: p.BFloat16, input: rowsOf("Projector", p.In),
		layer: chain(append(all, dense(in, cmp.Or(p.Out, 256)))...)}
}
