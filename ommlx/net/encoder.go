package net

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Backbone is a network whose features representations are judged by: [ResNet18] or [ResidualMLP].
type Backbone interface {
	Init(seeds []int64) []*tensors.Tensor
	InitState(runs int) []*tensors.Tensor
	Train(params, state []*Node, views ...*Node) (features, next []*Node)
	Apply(params, state []*Node, x *Node) *Node
	weights() (params, statistics []weight)
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
	p, s := e.Backbone.weights()
	return len(p), len(s)
}

func (e Encoder) top(features *Node) *Node {
	return Slice(features, AxisRange(), AxisRange(), AxisRange(0, e.Top))
}
