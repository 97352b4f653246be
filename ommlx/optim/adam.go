// Package optim holds what the training loop needs of optimisation: Adam, RMSProp, learning-rate schedules and the
// exponential moving average of parameters.
package optim

import (
	"cmp"
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Adam is the optimiser of Kingma and Ba (2015) with bias correction, Algorithm 1 there:
//
//	m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²,   θ ← θ − η_t · m̂ / (√v̂ + ε),
//	m̂ = m/(1−β₁ᵗ),       v̂ = v/(1−β₂ᵗ).
//
// Zero fields take the paper's or the usual values.
type Adam struct {
	LearningRate float64  `json:"learning_rate"` // η, 1e-3 when zero (paper, Section C.1)
	Beta1        float64  `json:"beta1"`         // β₁, 0.9 when zero
	Beta2        float64  `json:"beta2"`         // β₂, 0.999 when zero
	Epsilon      float64  `json:"epsilon"`       // ε, 1e-8 when zero
	Schedule     Schedule `json:"schedule"`      // how η_t follows from η
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
	return validate("Adam", a.LearningRate, a.Epsilon, a.Schedule, average{"β₁", a.Beta1}, average{"β₂", a.Beta2})
}

// average is the factor of an exponential average, with its name.
type average struct {
	name   string
	factor float64
}

func validate(optimiser string, rate, epsilon float64, s Schedule, averages ...average) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("%s: the learning rate is %g; it must be positive and finite", optimiser, rate)
	}
	for _, a := range averages {
		if !(a.factor >= 0 && a.factor < 1) {
			return fmt.Errorf("%s: %s is %g; it must lie in [0, 1)", optimiser, a.name, a.factor)
		}
	}
	if !(epsilon > 0) {
		return fmt.Errorf("%s: ε is %g; it must be positive", optimiser, epsilon)
	}
	return s.Validate()
}

// Update returns the parameters and moments after one step. step is the number of steps taken before this
// one, an int32 scalar; params, grads, m and v are lists of equal shapes, any floating type. keep, if not nil, may
// hold entries back: of a new value and the old one, of equal shapes, it returns what is to become of it.
func (a Adam) Update(step *Node, params, grads, m, v []*Node, keep func(next, old *Node) *Node) (newParams, newM, newV []*Node) {
	a = a.WithDefaults()
	dtype := params[0].DType()
	t := AddScalar(ConvertDType(step, dtype), 1)
	g := step.Graph()
	power := func(beta float64) *Node { return Pow(Scalar(g, dtype, beta), t) }
	// η m̂/(√v̂+ε) = (η√c₂/c₁) · m/(√v + ε√c₂): the scalars are formed once instead of per parameter.
	root2 := Sqrt(OneMinus(power(a.Beta2)))
	scale := Div(Mul(a.Schedule.rate(step, a.LearningRate, dtype), root2), OneMinus(power(a.Beta1)))
	return descend(a.Beta1, a.Beta2, scale, MulScalar(root2, a.Epsilon), params, grads, m, v, keep)
}

// descend is the step of both optimisers: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ − scale · m/(√v + ε), with
// scale and ε scalars.
func descend(beta1, beta2 float64, scale, epsilon *Node, params, grads, m, v []*Node, keep func(next, old *Node) *Node) (newParams, newM, newV []*Node) {
	if keep == nil {
		keep = func(next, _ *Node) *Node { return next }
	}
	for i, p := range params {
		mi := keep(Add(MulScalar(m[i], beta1), MulScalar(grads[i], 1-beta1)), m[i])
		vi := keep(Add(MulScalar(v[i], beta2), MulScalar(Square(grads[i]), 1-beta2)), v[i])
		// Without the barrier XLA forms the moments a second time where θ is updated, from copies of the old ones.
		kept := OptimizationBarriers(mi, vi)
		next := Sub(p, Div(Mul(kept[0], scale), Add(Sqrt(kept[1]), epsilon)))
		newParams = append(newParams, keep(next, p))
		newM, newV = append(newM, kept[0]), append(newV, kept[1])
	}
	return newParams, newM, newV
}
