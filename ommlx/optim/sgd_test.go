package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/optim"
)

// The update as torch.optim.SGD documents it, over many steps and gradients of very different sizes.
func TestSGDIsPyTorchs(t *testing.T) {
	tenths := optim.Schedule{Decay: optim.Tenths, Milestones: []int{20, 35}}
	for name, s := range map[string]optim.SGD{
		"defaults": {}, "momentum": {Momentum: 0.9}, "decay": {WeightDecay: 1e-3},
		"all": {LearningRate: 0.01, Momentum: 0.5, WeightDecay: 0.1, Schedule: tenths},
	} {
		t.Run(name, func(t *testing.T) {
			theta, grads := problem(50)
			full := s.WithDefaults()
			want, m := append([]float64{}, theta...), make([]float64, len(theta))
			for step, g := range grads {
				rate := full.LearningRate
				for _, milestone := range s.Schedule.Milestones {
					if step >= milestone {
						rate /= 10
					}
				}
				for i := range want {
					m[i] = full.Momentum*m[i] + g[i] + full.WeightDecay*want[i]
					want[i] -= rate * m[i]
				}
			}
			vector, matrix := stepsOf[float64](t, s, theta, grads)
			assert.InEpsilonSlice(t, want, vector, 1e-12)
			assert.Equal(t, vector, matrix)
			single, _ := stepsOf[float32](t, s, theta, grads)
			assert.InDeltaSlice(t, want, single, 2e-3) // the largest entries are near 100
		})
	}
}

// A gradient that stays is amplified to 1/(1−μ) of itself: θ falls by η Σ_{s≤t} (1−μˢ)/(1−μ).
func TestMomentumOfAConstantGradient(t *testing.T) {
	const mu, steps = 0.9, 40
	fallen := 0.0
	var grads [][]float64
	for s := 1; s <= steps; s++ {
		grads = append(grads, []float64{1, -2})
		fallen += 0.1 * (1 - math.Pow(mu, float64(s))) / (1 - mu)
	}
	got, _ := stepsOf[float64](t, optim.SGD{Momentum: mu}, []float64{0, 0}, grads)
	assert.InDeltaSlice(t, []float64{-fallen, 2 * fallen}, got, 1e-12)
}

func TestSGDDefaultsAreThePapers(t *testing.T) {
	assert.Equal(t, optim.SGD{LearningRate: 0.1}, optim.SGD{}.WithDefaults())
	kept := optim.SGD{LearningRate: 1, Momentum: 0.5, WeightDecay: 0.1, Schedule: optim.Schedule{Warmup: 3}}
	assert.Equal(t, kept, kept.WithDefaults())
	assert.Equal(t, 0, optim.SGD{}.Slots())
	assert.Equal(t, 1, kept.Slots())
}

func TestSGDValidate(t *testing.T) {
	require.NoError(t, optim.SGD{}.Validate())
	for word, s := range map[string]optim.SGD{
		"SGD: the learning rate is -1":    {LearningRate: -1},
		"SGD: the momentum is -0.9":       {Momentum: -0.9},
		"SGD: the weight decay is -0.1":   {WeightDecay: -0.1},
		"schedule: the warm-up has -1":    {Schedule: optim.Schedule{Warmup: -1}},
		`decay "tenths" has 0 milestones`: {Schedule: optim.Schedule{Decay: optim.Tenths}},
	} {
		assert.ErrorContains(t, s.Validate(), word)
	}
}
