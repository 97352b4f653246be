package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/optim"
)

// written is an update as its publication or PyTorch documents it. It changes θ by the gradient of a step (from 1) at
// a rate, and updates its memory of each entry.
type written func(theta *float64, memory *[2]float64, g, rate float64, step int)

func writtenSGD(s optim.SGD) written {
	s = s.WithDefaults()
	return func(theta *float64, memory *[2]float64, g, rate float64, _ int) {
		memory[0] = s.Momentum*memory[0] + g + s.WeightDecay**theta
		*theta -= rate * memory[0]
	}
}

// writtenRMSProp has no momentum, centring or weight decay.
func writtenRMSProp(r optim.RMSProp) written {
	r = r.WithDefaults()
	return func(theta *float64, memory *[2]float64, g, rate float64, _ int) {
		memory[0] = r.Decay*memory[0] + (1-r.Decay)*g*g
		*theta -= rate * g / (math.Sqrt(memory[0]) + r.Epsilon)
	}
}

// writtenAdam is Algorithm 1 of Kingma and Ba (2015), line by line.
func writtenAdam(a optim.Adam) written {
	a = a.WithDefaults()
	return func(theta *float64, memory *[2]float64, g, rate float64, step int) {
		memory[0] = a.Beta1*memory[0] + (1-a.Beta1)*g
		memory[1] = a.Beta2*memory[1] + (1-a.Beta2)*g*g
		mHat := memory[0] / (1 - math.Pow(a.Beta1, float64(step)))
		vHat := memory[1] / (1 - math.Pow(a.Beta2, float64(step)))
		*theta -= rate * mHat / (math.Sqrt(vHat) + a.Epsilon)
	}
}

// TestStepsAreAsDocumented over many steps and gradients of very different sizes, with and without schedules.
func TestStepsAreAsDocumented(t *testing.T) {
	const steps = 50
	strong := optim.SGD{LearningRate: 0.01, Momentum: 0.5, WeightDecay: 0.1,
		Schedule: optim.Schedule{Decay: optim.Tenths, Milestones: []int{20, 35}}}
	other := optim.RMSProp{LearningRate: 0.02, Decay: 0.9, Epsilon: 1e-3,
		Schedule: optim.Schedule{Decay: optim.Cosine, Steps: 40}}
	adam := optim.Adam{LearningRate: 0.1, Beta1: 0.7, Beta2: 0.99, Epsilon: 1e-3,
		Schedule: optim.Schedule{Warmup: 10, Decay: optim.Cosine, Steps: 40}}
	for name, c := range map[string]struct {
		optimiser optim.Optimiser
		update    written
		rate      float64
		schedule  optim.Schedule
		single    float64 // error allowed in float32
	}{
		// The largest entries of SGD are near 100.
		"SGD":                    {optim.SGD{}, writtenSGD(optim.SGD{}), 0.1, optim.Schedule{}, 2e-3},
		"SGD with all":           {strong, writtenSGD(strong), 0.01, strong.Schedule, 2e-3},
		"RMSProp":                {optim.RMSProp{}, writtenRMSProp(optim.RMSProp{}), 0.01, optim.Schedule{}, 2e-5},
		"RMSProp, other numbers": {other, writtenRMSProp(other), 0.02, other.Schedule, 2e-5},
		"Adam":                   {optim.Adam{}, writtenAdam(optim.Adam{}), 1e-3, optim.Schedule{}, 2e-5},
		"Adam, other numbers":    {adam, writtenAdam(adam), 0.1, adam.Schedule, 2e-5},
	} {
		t.Run(name, func(t *testing.T) {
			theta, grads := problem(steps)
			want, memory := slices.Clone(theta), make([][2]float64, len(theta))
			rates := factors(t, c.schedule, steps)
			for s, g := range grads {
				for i := range want {
					c.update(&want[i], &memory[i], g[i], c.rate*rates[s], s+1)
				}
			}
			vector, matrix := stepsOf(t, dtypes.Float64, c.optimiser, theta, grads)
			for i := range want {
				assert.InDelta(t, want[i], vector[i], 1e-12*max(1, math.Abs(want[i])))
			}
			assert.Equal(t, vector, matrix)
			single, _ := stepsOf(t, dtypes.Float32, c.optimiser, theta, grads)
			assert.InDeltaSlice(t, want, single, c.single)
		})
	}
}
