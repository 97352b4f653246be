package probe

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
)

// Backbone is a network with running statistics: [ResNet18], [ResidualMLP] or [Projector].
type Backbone interface{ network() network }

// Encoder is a backbone with an optional projector, which maps its features to the learned functions.
type Encoder struct {
	Backbone  Backbone
	Projector *Projector // nil: the functions are the first Top features (DirectCLR)
	Top       int        // 0: all of them
}

// parts lists the networks in the order in which they are applied.
func (e Encoder) parts() []network {
	if e.Projector == nil {
		return []network{e.Backbone.network()}
	}
	return []network{e.Backbone.network(), e.Projector.network()}
}

// Init returns the initial parameters and running statistics of len(seeds) runs in float32, backbone first, each in the
// order of PyTorch's named_parameters. Kernels [R, k, k, in, out] are normal with variance 2/(k²·out), as in
// torchvision. Matrices [R, out, in] and biases [R, out] are uniform in ±1/√in, as in PyTorch. γ is 1, β 0, the mean 0
// and the variance 1, [R, out] each. Run r depends only on seeds[r].
func (e Encoder) Init(seeds []int64) (params, state []*tensors.Tensor) {
	for _, n := range e.parts() {
		params = append(params, tensorx.Draw(n.params, seeds, n.stream)...)
		state = append(state, tensorx.Draw(n.statistics, make([]int64, len(seeds)), 0)...)
	}
	return params, state
}

// Train returns the functions [R, B, k] of each view of a batch and the next running statistics, as if the views passed
// through the network one after another: each is normalised by its own statistics. params and state come from
// [Encoder.Init]. A view is [B, …], the same for every run, or [R, B, …], with images [H, W, C] for a [ResNet18] and
// rows otherwise. Like graph building, it panics if shapes do not fit.
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

// each calls do with each network and its parameters and statistics; the last network gets all that remain.
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
