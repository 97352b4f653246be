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
	newSlots = make([][]*Node, len(slots))
	for i, p := range params {
		m := grads[i]
		if s.WeightDecay > 0 {
			m = Add(m, MulScalar(p, s.WeightDecay))
		}
		if len(slots) > 0 {
			m = Add(MulScalar(slots[0][i], s.Momentum), m)
			newSlots[0] = append(newSlots[0], m)
		}
		newParams = append(newParams, Sub(p, Mul(m, rate)))
	}
	return newParams, newSlots
}
