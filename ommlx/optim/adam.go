// Package optim provides the optimisers of the training loop (Adam, RMSProp, SGD with momentum), learning-rate
// schedules and the exponential moving average of parameters.
package optim

import (
	"cmp"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Adam is the optimiser of Kingma and Ba (2015) with bias correction, Algorithm 1 there:
//
//	m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²,   θ ← θ − η_t · m̂ / (√v̂ + ε),
//	m̂ = m/(1−β₁ᵗ),       v̂ = v/(1−β₂ᵗ).
//
// Zero fields take the values below.
type Adam struct {
	LearningRate float64  `json:"learning_rate"` // η, 1e-3 when zero (paper, Section C.1)
	Beta1        float64  `json:"beta1"`         // β₁, 0.9 when zero
	Beta2        float64  `json:"beta2"`         // β₂, 0.999 when zero
	Epsilon      float64  `json:"epsilon"`       // ε, 1e-8 when zero
	Schedule     Schedule `json:"schedule"`      // how η_t is computed from η
}

// WithDefaults fills the zero fields.
func (a Adam) WithDefaults() Adam {
	a.LearningRate, a.Beta1 = cmp.Or(a.LearningRate, 1e-3), cmp.Or(a.Beta1, 0.9)
	a.Beta2, a.Epsilon = cmp.Or(a.Beta2, 0.999), cmp.Or(a.Epsilon, 1e-8)
	return a
}

// Validate returns an error that names the field that is out of range.
func (a Adam) Validate() error {
	a = a.WithDefaults()
	return validate("Adam", a.Schedule, setting{"the learning rate", a.LearningRate, math.Inf(1)},
		setting{"β₁", a.Beta1, 1}, setting{"β₂", a.Beta2, 1}, setting{"ε", a.Epsilon, math.Inf(1)})
}

// Slots is 2: m and v.
func (a Adam) Slots() int { return 2 }

// Update implements [Optimiser].
func (a Adam) Update(step *Node, params, grads []*Node, slots [][]*Node) (newParams []*Node, newSlots [][]*Node) {
	a = a.WithDefaults()
	dtype := params[0].DType()
	t := AddScalar(ConvertDType(step, dtype), 1)
	g := step.Graph()
	power := func(beta float64) *Node { return Pow(Scalar(g, dtype, beta), t) }
	// η m̂/(√v̂+ε) = (η√c₂/c₁) · m/(√v + ε√c₂): the scalars are computed once, not once per parameter.
	root2 := Sqrt(OneMinus(power(a.Beta2)))
	scale := Div(Mul(a.Schedule.rate(step, a.LearningRate, dtype), root2), OneMinus(power(a.Beta1)))
	epsilon := MulScalar(root2, a.Epsilon)
	newSlots = make([][]*Node, a.Slots())
	for i, p := range params {
		m := Add(MulScalar(slots[0][i], a.Beta1), MulScalar(grads[i], 1-a.Beta1))
		v := Add(MulScalar(slots[1][i], a.Beta2), MulScalar(Square(grads[i]), 1-a.Beta2))
		// Without the barrier XLA computes the moments again where θ is updated, from copies of the old ones.
		kept := OptimizationBarriers(m, v)
		newParams = append(newParams, Sub(p, Div(Mul(kept[0], scale), Add(Sqrt(kept[1]), epsilon))))
		newSlots[0], newSlots[1] = append(newSlots[0], kept[0]), append(newSlots[1], kept[1])
	}
	return newParams, newSlots
}
