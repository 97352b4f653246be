package optim

import (
	"cmp"
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/tensorx"
)

// larsEpsilon is ε of [LARS], eps in solo-learn's code.
const larsEpsilon = 1e-8

// LARS is the optimiser of You, Gitman and Ginsburg (2017, arXiv 1708.03888) as implemented in solo-learn
// (vturrisi/solo-learn at commit 9187ea3, solo/utils/lars.py), the code base of the paper's image experiment. For each
// run and each parameter tensor θ with gradient g
//
//	λ = τ‖θ‖ / (‖g‖ + β‖θ‖ + ε),   q = min(λ/η_t, 1),   d = q(g + βθ),   m ← μm + d,   θ ← θ − η_t m.
//
// A tensor is adapted only if it has at least two axes, not counting the axis of runs, and neither ‖θ‖ nor ‖g‖ is 0.
// Otherwise d = g: biases and the scales and shifts of normalisations take plain momentum steps without weight decay.
//
// Weight decay 0 turns off only the decay, as in solo-learn's code. (Its documentation says that parameters with weight
// decay 0 are not adapted, which is true of lightning-bolts, src/pl_bolts/optimizers/lars.py, but not of solo-learn.)
//
// While λ < η_t, the learning rate cancels from the step on a new gradient, which is τ‖θ‖g/‖g‖ without decay. You et
// al. have no such bound, and put η_t into m.
//
// The zero value has the paper's settings where it prints them (Section C.3), and solo-learn's otherwise. The
// configuration that the paper points to (scripts/pretrain/cifar/simclr.yaml) has the same τ, bound, batches and
// epochs, but rate 0.4 and weight decay 1e-4 where the paper has 0.3 and 0.
//
// For graphs (Table 3) the paper builds on thudzj/NEigenmaps (graph/utils.py at commit bc3bb6c), whose LARS at weight
// decay 0 is this one with Trust 1e-3, Unclipped and without ε.
type LARS struct {
	LearningRate float64  `json:"learning_rate"` // η, 0.3 when zero
	Trust        float64  `json:"trust"`         // τ, the trust coefficient, 0.02 when zero; eta in solo-learn
	Momentum     float64  `json:"momentum"`      // μ, 0.9 when zero
	WeightDecay  float64  `json:"weight_decay"`  // β, only for adapted parameters
	Unclipped    bool     `json:"unclipped"`     // q = λ; otherwise q is bounded as above, clip_lr in solo-learn
	Schedule     Schedule `json:"schedule"`      // how η_t is computed from η
}

// WithDefaults fills the zero fields that have a default.
func (l LARS) WithDefaults() LARS {
	l.LearningRate, l.Trust = cmp.Or(l.LearningRate, 0.3), cmp.Or(l.Trust, 0.02)
	l.Momentum = cmp.Or(l.Momentum, 0.9)
	return l
}

// Validate returns an error that names the field that is out of range.
func (l LARS) Validate() error {
	l = l.WithDefaults()
	return validate("LARS", l.Schedule, setting{"the trust coefficient", l.Trust, math.Inf(1)},
		setting{"the learning rate", l.LearningRate, math.Inf(1)}, setting{"the momentum", l.Momentum, 1},
		setting{"the weight decay", l.WeightDecay, math.Inf(1)})
}

// Slots is 1: m.
func (l LARS) Slots() int { return 1 }

// Update implements [Optimiser].
func (l LARS) Update(step *Node, params, grads []*Node, slots [][]*Node) (newParams []*Node, newSlots [][]*Node) {
	l = l.WithDefaults()
	rate := l.Schedule.rate(step, l.LearningRate, params[0].DType())
	directions := make([]*Node, len(params))
	for i, p := range params {
		directions[i] = l.direction(p, grads[i], rate)
	}
	along := SGD{LearningRate: l.LearningRate, Momentum: l.Momentum, Schedule: l.Schedule}
	return along.Update(step, params, directions, slots)
}

// direction returns d for a parameter [R, …].
func (l LARS) direction(p, g, rate *Node) *Node {
	const leading, bias = 1, 1 // axes
	if p.Rank() <= leading+bias {
		return g
	}
	sizeP, sizeG := Sqrt(tensorx.Squares(p)), Sqrt(tensorx.Squares(g)) // [R]
	zero := ZerosLike(sizeP)
	adapted := LogicalAnd(GreaterThan(sizeP, zero), GreaterThan(sizeG, zero))
	q := Div(MulScalar(sizeP, l.Trust), AddScalar(Add(sizeG, MulScalar(sizeP, l.WeightDecay)), larsEpsilon))
	if !l.Unclipped {
		q = MinScalar(Div(q, rate), 1.0) // 1 for rate 0, as at the start of some warm-ups and the end of cosines
	}
	d := Mul(g, tensorx.Spread(Where(adapted, q, OnesLike(q)), g))
	if l.WeightDecay > 0 {
		d = Add(d, Mul(p, tensorx.Spread(Where(adapted, MulScalar(q, l.WeightDecay), zero), p)))
	}
	return d
}
