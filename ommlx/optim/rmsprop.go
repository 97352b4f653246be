package optim

import (
	"cmp"

	. "github.com/gomlx/gomlx/core/graph"
)

// RMSProp is the optimiser of Hinton, Srivastava and Swersky (2012, Neural Networks for Machine Learning, lecture 6e)
// in PyTorch's form (torch.optim.RMSprop) without momentum, centring and weight decay:
//
//	v ← αv + (1−α)g²,   θ ← θ − η_t · g / (√v + ε).
//
// Nothing is corrected for bias, so the first step changes each parameter by η/√(1−α), ten times the learning rate with
// PyTorch's α; a warm-up avoids that. Zero fields take PyTorch's values. The paper found it to be worse than [Adam]
// (Section C.2).
type RMSProp struct {
	LearningRate float64  `json:"learning_rate"` // η, 1e-2 when zero
	Decay        float64  `json:"decay"`         // α, 0.99 when zero
	Epsilon      float64  `json:"epsilon"`       // ε, 1e-8 when zero
	Schedule     Schedule `json:"schedule"`      // how η_t follows from η
}

// WithDefaults fills the zero fields.
func (r RMSProp) WithDefaults() RMSProp {
	r.LearningRate, r.Decay, r.Epsilon = cmp.Or(r.LearningRate, 1e-2), cmp.Or(r.Decay, 0.99), cmp.Or(r.Epsilon, 1e-8)
	return r
}

// Validate returns an error that names the field that is out of range.
func (r RMSProp) Validate() error {
	r = r.WithDefaults()
	return validate("RMSProp", r.LearningRate, r.Epsilon, r.Schedule, average{"α", r.Decay})
}

// Update returns the parameters and moments after one step, as [Adam.Update] does; m becomes the gradient, which is
// the average of first moments with β₁ = 0.
func (r RMSProp) Update(step *Node, params, grads, m, v []*Node, keep func(next, old *Node) *Node) (newParams, newM, newV []*Node) {
	r = r.WithDefaults()
	dtype := params[0].DType()
	return descend(0, r.Decay, r.Schedule.rate(step, r.LearningRate, dtype), Scalar(step.Graph(), dtype, r.Epsilon), params, grads, m, v, keep)
}
