package optim

import (
	"cmp"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// SGD is gradient descent with momentum and coupled weight decay as in torch.optim.SGD, without dampening and
// Nesterov's variant:
//
//	d = g + βθ,   m ← μm + d,   θ ← θ − η_t m.
//
// The paper trains its linear probes with SGD: at rate 0.1 on images, at rate 0.01 with weight decay 1e-3 on graphs
// (Section C.3). It gives no momentum; both codes that it builds on use 0.9 (solo-learn at commit 9187ea3,
// solo/args/linear.py; thudzj/NEigenmaps at commit bc3bb6c, graph/main_products.py).
type SGD struct {
	LearningRate float64  `json:"learning_rate"` // η, 0.1 when zero (paper, Section C.3)
	Momentum     float64  `json:"momentum"`      // μ; zero: none, as in PyTorch
	WeightDecay  float64  `json:"weight_decay"`  // β, for every parameter
	Schedule     Schedule `json:"schedule"`      // how η_t is computed from η
}

// WithDefaults fills the zero fields that have a default.
func (s SGD) WithDefaults() SGD {
	s.LearningRate = cmp.Or(s.LearningRate, 0.1)
	return s
}

// Validate returns an error that names the field that is out of range.
func (s SGD) Validate() error {
	s = s.WithDefaults()
	return validate("SGD", s.Schedule, setting{"the learning rate", s.LearningRate, math.Inf(1)},
		setting{"the momentum", s.Momentum, 1}, setting{"the weight decay", s.WeightDecay, math.Inf(1)})
}

// Slots is 1, m, or 0 without momentum.
func (s SGD) Slots() int {
	if s.Momentum == 0 {
		return 0
	}
	return 1
}

// Update implements [Optimiser].
func (s SGD) Update(step *Node, params, grads []*Node, slots [][]*Node) (newParams []*Node, newSlots [][]*Node) {
	s = s.WithDefaults()
	rate := s.Schedule.rate(step, s.LearningRate, params[0].DType())
	return descend(rate, s.Momentum, params, slots, func(i int) *Node {
		if s.WeightDecay > 0 {
			return Add(grads[i], MulScalar(params[i], s.WeightDecay))
		}
		return grads[i]
	})
}

// descend takes the step m ← μm + d, θ ← θ − ηm, with direction(i) = d for parameter i; without slots m is d.
func descend(eta *Node, mu float64, params []*Node, slots [][]*Node, direction func(i int) *Node) (
	newParams []*Node, newSlots [][]*Node) {
	newSlots = make([][]*Node, len(slots))
	for i, p := range params {
		m := direction(i)
		if len(slots) > 0 {
			m = Add(MulScalar(slots[0][i], mu), m)
			newSlots[0] = append(newSlots[0], m)
		}
		newParams = append(newParams, Sub(p, Mul(m, eta)))
	}
	return newParams, newSlots
}
