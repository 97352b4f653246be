// Package representation has what Tables 1 and 3 share (Section 3.3 of the paper): networks with batch normalisation,
// minibatches in shuffled epochs, and linear probes, which evaluate frozen features by a linear classifier.
package representation

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Backbone is a network with running statistics: [ResNet18], [ResidualMLP] or [Projector].
type Backbone interface{ network() network }

// Encoder is a backbone with an optional projector, which maps its features to the learned functions.
type Encoder struct {
	Backbone  Backbone
	Projector *Projector // nil: the functions are the first Top features (DirectCLR)
	Top       int        // 0: all of them
	// BFloat16 computes products and convolutions in bfloat16, for GPUs. Parameters, normalisations, sums and outputs
	// keep their type.
	BFloat16 bool
}

// CheckObjective returns an error unless an objective can train an encoder with k functions: it must have no state.
func CheckObjective(o ommlx.Objective, k int) error {
	if o.InitState(1, k) != nil {
		return fmt.Errorf("representation: method is %s, want an objective without a state", o.Name())
	}
	return ommlx.Check(o, k)
}

// TrainConfig returns a training by LARS. The steps of a frozen network are too small to change a float32.
func TrainConfig(l optim.LARS, steps, evalEvery int, frozen bool) train.Config {
	c := train.Config{Steps: steps, EvalEvery: evalEvery, Optimiser: l}
	if frozen {
		c.Optimiser = optim.SGD{LearningRate: 1e-30}
	}
	return c
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
		state = append(state, tensorx.Draw(n.statistics, seeds, n.stream)...)
	}
	return params, state
}

// Train returns the functions [R, B, k] of each view of a batch and the next running statistics, as if the views passed
// through the network one after another: each is normalised by its own statistics. params comes from [Encoder.Init];
// the running statistics are the last entries of state. A view is [B, …], the same for every run, or [R, B, …], with
// images [H, W, C] for a [ResNet18] and rows otherwise.
//
// The views are stacked on the axis of samples, which for two views halves the program and makes its products larger.
func (e Encoder) Train(params, state []*Node, views ...*Node) (functions, next []*Node) {
	all := make([]*Node, len(views))
	for i, x := range views {
		all[i] = e.perRun(params, x)
	}
	_, f, next := e.pass(params, state, Concatenate(all, 1), len(views))
	return Split(f, 1, len(views)), next
}

// Apply returns the features [R, B, d] of the backbone and the functions [R, B, k] of inputs x, normalised by the
// running statistics. Its arguments are as in [Encoder.Train].
func (e Encoder) Apply(params, state []*Node, x *Node) (features, f *Node) {
	features, f, _ = e.pass(params, state, e.perRun(params, x), 0)
	return features, f
}

// perRun broadcasts inputs [B, …] to [R, B, …]; it returns [R, B, …] unchanged.
func (e Encoder) perRun(params []*Node, x *Node) *Node {
	if x.Rank() == e.Backbone.network().rank {
		return BroadcastPrefix(x, params[0].Shape().Dim(0))
	}
	return x
}

// pass applies the networks to x [R, B, …], in training to stacked views; views is 0 otherwise.
func (e Encoder) pass(params, state []*Node, x *Node, views int) (features, f *Node, next []*Node) {
	parts, statistics := e.parts(), 0
	for _, n := range parts {
		statistics += len(n.statistics)
	}
	s := &supply{params: params, statistics: state[len(state)-statistics:], views: views, bfloat16: e.BFloat16}
	for _, n := range parts {
		if x = n.pass(s, x); features == nil {
			features = x
		}
	}
	if e.Projector == nil && e.Top > 0 {
		x = Slice(x, AxisRange(), AxisRange(), AxisRange(0, e.Top))
	}
	return features, x, s.next
}
