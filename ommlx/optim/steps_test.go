package optim_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// written is an update of a tensor of one run as its publication or PyTorch documents it. It changes θ by the gradient
// of a step (from 1) at a rate, and updates its memory of each entry.
type written func(theta, g testkit.Array, memory [][2]float64, rate float64, step int)

// entrywise is an update that treats the entries of all tensors alike.
func entrywise(update func(theta *float64, memory *[2]float64, g, rate float64, step int)) written {
	return func(theta, g testkit.Array, memory [][2]float64, rate float64, step int) {
		for j := range theta.Data {
			update(&theta.Data[j], &memory[j], g.Data[j], rate, step)
		}
	}
}

func writtenSGD(s optim.SGD) written {
	s = s.WithDefaults()
	return entrywise(func(theta *float64, memory *[2]float64, g, rate float64, _ int) {
		memory[0] = s.Momentum*memory[0] + g + s.WeightDecay**theta
		*theta -= rate * memory[0]
	})
}

// writtenRMSProp has no momentum, centring or weight decay.
func writtenRMSProp(r optim.RMSProp) written {
	r = r.WithDefaults()
	return entrywise(func(theta *float64, memory *[2]float64, g, rate float64, _ int) {
		memory[0] = r.Decay*memory[0] + (1-r.Decay)*g*g
		*theta -= rate * g / (math.Sqrt(memory[0]) + r.Epsilon)
	})
}

// writtenAdam is Algorithm 1 of Kingma and Ba (2015), line by line.
func writtenAdam(a optim.Adam) written {
	a = a.WithDefaults()
	return entrywise(func(theta *float64, memory *[2]float64, g, rate float64, step int) {
		memory[0] = a.Beta1*memory[0] + (1-a.Beta1)*g
		memory[1] = a.Beta2*memory[1] + (1-a.Beta2)*g*g
		mHat := memory[0] / (1 - math.Pow(a.Beta1, float64(step)))
		vHat := memory[1] / (1 - math.Pow(a.Beta2, float64(step)))
		*theta -= rate * mHat / (math.Sqrt(vHat) + a.Epsilon)
	})
}

// larsCases counts how often the update of a weight took each branch.
type larsCases struct{ bounded, free, zeroParameter, zeroGradient int }

func writtenLARS(l optim.LARS, seen *larsCases) written {
	const eps = 1e-8
	l = l.WithDefaults()
	return func(theta, g testkit.Array, memory [][2]float64, eta float64, _ int) {
		x, d := theta.Data, slices.Clone(g.Data)
		sizeX, sizeG := floats.Norm(x, 2), floats.Norm(d, 2)
		switch {
		case len(theta.Dims) <= 1:
		case sizeX == 0:
			seen.zeroParameter++
		case sizeG == 0:
			seen.zeroGradient++
		default:
			q := l.Trust * sizeX / (sizeG + l.WeightDecay*sizeX + eps)
			if !l.Unclipped && q >= eta {
				q = 1
				seen.bounded++
			} else if !l.Unclipped {
				q /= eta
				seen.free++
			}
			for j := range d {
				d[j] = q * (d[j] + l.WeightDecay*x[j])
			}
		}
		for j := range x {
			memory[j][0] = l.Momentum*memory[j][0] + d[j]
			x[j] -= eta * memory[j][0]
		}
	}
}

// requireSteps requires the parameters after each of many steps to be as documented, in both precisions.
func requireSteps(t *testing.T, o optim.Optimiser, update written, rate float64, schedule optim.Schedule) {
	t.Helper()
	const steps = 50
	params, grads := problem(steps)
	theta, memory := make([]testkit.Array, len(params)), make([][][2]float64, len(params))
	for i, p := range params {
		theta[i], memory[i] = p.Clone(), make([][2]float64, len(p.Data))
	}
	rates := factors(t, schedule, steps)
	double := trajectory(t, dtypes.Float64, o, params, grads)
	single := trajectory(t, dtypes.Float32, o, params, grads)
	for s, g := range grads {
		for i, x := range theta {
			size := len(x.Data) / x.Dims[0]
			for r := range x.Dims[0] {
				update(x.Run(r), g[i].Run(r), memory[i][r*size:(r+1)*size], rate*rates[s], s+1)
			}
		}
		testkit.RequireAllClose(t, theta, double[s], 1e-12, "float64")
		testkit.RequireAllClose(t, theta, single[s], 2e-5, "float32")
	}
}

// TestStepsAreAsDocumented for gradients of very different sizes, with and without schedules.
func TestStepsAreAsDocumented(t *testing.T) {
	strong := optim.SGD{LearningRate: 0.01, Momentum: 0.5, WeightDecay: 0.1,
		Schedule: optim.Schedule{Decay: optim.Tenths, Milestones: []int{20, 35}}}
	other := optim.RMSProp{LearningRate: 0.02, Decay: 0.9, Epsilon: 1e-3,
		Schedule: optim.Schedule{Decay: optim.Cosine, Steps: 40}}
	adam := optim.Adam{LearningRate: 0.1, Beta1: 0.7, Beta2: 0.99, Epsilon: 1e-3,
		Schedule: optim.Schedule{Warmup: 10, Decay: optim.Cosine, Steps: 40}}
	requireSteps(t, optim.SGD{}, writtenSGD(optim.SGD{}), 0.1, optim.Schedule{})
	requireSteps(t, strong, writtenSGD(strong), 0.01, strong.Schedule)
	requireSteps(t, optim.RMSProp{}, writtenRMSProp(optim.RMSProp{}), 0.01, optim.Schedule{})
	requireSteps(t, other, writtenRMSProp(other), 0.02, other.Schedule)
	requireSteps(t, optim.Adam{}, writtenAdam(optim.Adam{}), 1e-3, optim.Schedule{})
	requireSteps(t, adam, writtenAdam(adam), 0.1, adam.Schedule)
}

func TestLARSMatchesSoloLearn(t *testing.T) {
	for name, lars := range map[string]optim.LARS{
		"the paper's":                {},
		"the public configuration's": {LearningRate: 0.4, WeightDecay: 1e-4},
		"other constants":            {LearningRate: 0.05, Trust: 0.1, Momentum: 0.5, WeightDecay: 0.3},
		"unclipped":                  {Trust: 1e-3, Unclipped: true},
		"unclipped with decay":       {Unclipped: true, WeightDecay: 0.2},
		// The rate is 0 in the first step, or in the last four.
		"warm-up from 0": {Schedule: optim.Schedule{Warmup: 6}},
		"warm-up and cosine of solo-learn": {
			Schedule: optim.Schedule{Warmup: 6, WarmupFrom: 1e-4, Decay: optim.Cosine, Steps: 46}},
	} {
		t.Run(name, func(t *testing.T) {
			var seen larsCases
			requireSteps(t, lars, writtenLARS(lars, &seen), cmp.Or(lars.LearningRate, 0.3), lars.Schedule)
			assert.Positive(t, min(seen.zeroParameter, seen.zeroGradient))
			assert.True(t, lars.Unclipped || min(seen.bounded, seen.free) > 5, "steps with and without the bound")
		})
	}
}
