package probe

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
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

// parts are the networks, in the order in which they are applied.
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
		params = append(params, tensorx.Draw(n.params, seeds, n.stream)...)
		state = append(state, tensorx.Draw(n.statistics, make([]int64, len(seeds)), 0)...)
	}
	return params, state
}

// Train returns the functions [R, B, k] of each view of a batch, and the next running statistics, as if the views went
// through the network one after the other: each is normalised by its own statistics. params and state are as from
// [Encoder.Init]; a view is [B, …], the same for every run, or [R, B, …]: images [H, W, C] for a [ResNet18], else rows.
// It panics, as graph building does, if shapes do not fit.
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
