package optim_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"

	"omm-go/ommlx/internal/testkit"
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
	}{
		"SGD":                    {optim.SGD{}, writtenSGD(optim.SGD{}), 0.1, optim.Schedule{}},
		"SGD with all":           {strong, writtenSGD(strong), 0.01, strong.Schedule},
		"RMSProp":                {optim.RMSProp{}, writtenRMSProp(optim.RMSProp{}), 0.01, optim.Schedule{}},
		"RMSProp, other numbers": {other, writtenRMSProp(other), 0.02, other.Schedule},
		"Adam":                   {optim.Adam{}, writtenAdam(optim.Adam{}), 1e-3, optim.Schedule{}},
		"Adam, other numbers":    {adam, writtenAdam(adam), 0.1, adam.Schedule},
	} {
		t.Run(name, func(t *testing.T) {
			params, grads := problem(steps)
			var want []testkit.Array
			memory := make([][][2]float64, len(params))
			for i, p := range params {
				want, memory[i] = append(want, p.Clone()), make([][2]float64, len(p.Data))
			}
			rates := factors(t, c.schedule, steps)
			for s, g := range grads {
				for i := range want {
					for j := range want[i].Data {
						c.update(&want[i].Data[j], &memory[i][j], g[i].Data[j], c.rate*rates[s], s+1)
					}
				}
			}
			double := trajectory(t, dtypes.Float64, c.optimiser, params, grads)[steps-1]
			single := trajectory(t, dtypes.Float32, c.optimiser, params, grads)[steps-1]
			for i := range want {
				testkit.RequireClose(t, want[i], double[i], 1e-12, "float64")
				testkit.RequireClose(t, want[i], single[i], 2e-5, "float32")
			}
		})
	}
}
