package optim

import (
	"cmp"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// RMSProp is the optimiser of Hinton, Srivastava and Swersky (2012, Neural Networks for Machine Learning, lecture 6e)
// in PyTorch's form (torch.optim.RMSprop) without momentum, centring and weight decay:
//
//	v ← αv + (1−α)g²,   θ ← θ − η_t · g / (√v + ε).
//
// There is no bias correction, so the first step changes each parameter by η/√(1−α), ten times the learning rate with
// PyTorch's α; a warm-up avoids that. Zero fields take PyTorch's values.
type RMSProp struct {
	LearningRate float64  `json:"learning_rate"` // η, 1e-2 when zero
	Decay        float64  `json:"decay"`         // α, 0.99 when zero
	Epsilon      float64  `json:"epsilon"`       // ε, 1e-8 when zero
	Schedule     Schedule `json:"schedule"`      // how η_t is computed from η
}

// WithDefaults fills the zero fields.
func (r RMSProp) WithDefaults() RMSProp {
	r.LearningRate, r.Decay, r.Epsilon = cmp.Or(r.LearningRate, 1e-2), cmp.Or(r.Decay, 0.99), cmp.Or(r.Epsilon, 1e-8)
	return r
}

// Validate returns an error that names the field that is out of range.
func (r RMSProp) Validate() error {
	r = r.WithDefaults()
	return validate("RMSProp", r.Schedule, setting{"the learning rate", r.LearningRate, math.Inf(1)},
		setting{"α", r.Decay, 1}, setting{"ε", r.Epsilon, math.Inf(1)})
}

// Slots is 1: v.
func (r RMSProp) Slots() int { return 1 }

// Update implements [Optimiser].
func (r RMSProp) Update(step *Node, params, grads []*Node, slots [][]*Node) (newParams []*Node, newSlots [][]*Node) {
	r = r.WithDefaults()
	rate := r.Schedule.rate(step, r.LearningRate, params[0].DType())
	newSlots = make([][]*Node, r.Slots())
	for i, p := range params {
		v := Add(MulScalar(slots[0][i], r.Decay), MulScalar(Square(grads[i]), 1-r.Decay))
		v = OptimizationBarrier(v) // see [Adam.Update]
		next := Sub(p, Div(Mul(grads[i], rate), AddScalar(Sqrt(v), r.Epsilon)))
		newParams, newSlots[0] = append(newParams, next), append(newSlots[0], v)
	}
	return newParams, newSlots
}
