package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/optim"
)

// plainAdam is Algorithm 1 of Kingma and Ba (2015), line by line, with the learning rate of each step given.
func plainAdam(theta []float64, grads [][]float64, rate func(step int) float64, beta1, beta2, eps float64) []float64 {
	m, v := make([]float64, len(theta)), make([]float64, len(theta))
	theta = append([]float64{}, theta...)
	for step, g := range grads {
		t := float64(step + 1)
		for i := range theta {
			m[i] = beta1*m[i] + (1-beta1)*g[i]
			v[i] = beta2*v[i] + (1-beta2)*g[i]*g[i]
			mHat := m[i] / (1 - math.Pow(beta1, t))
			vHat := v[i] / (1 - math.Pow(beta2, t))
			theta[i] -= rate(step) * mHat / (math.Sqrt(vHat) + eps)
		}
	}
	return theta
}

func TestAdamIsKingmaAndBa(t *testing.T) {
	const steps = 50
	warmup := func(s int) float64 { return min(1, float64(s)/10) }
	cases := map[string]struct {
		adam   optim.Adam
		factor func(step int) float64
	}{
		"constant": {optim.Adam{LearningRate: 0.02}, func(int) float64 { return 1 }},
		"other constants": {optim.Adam{LearningRate: 0.1, Beta1: 0.7, Beta2: 0.99, Epsilon: 1e-3},
			func(int) float64 { return 1 }},
		"warm-up": {optim.Adam{LearningRate: 0.02, Schedule: optim.Schedule{Warmup: 10}}, warmup},
		"warm-up and cosine": {
			optim.Adam{LearningRate: 0.02, Schedule: optim.Schedule{Warmup: 10, Decay: optim.Cosine, Steps: 40}},
			func(s int) float64 {
				if s < 10 {
					return warmup(s)
				}
				return (1 + math.Cos(math.Pi*min(1, float64(s-10)/30))) / 2
			}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			theta, grads := problem(steps)
			full := c.adam.WithDefaults()
			want := plainAdam(theta, grads, func(s int) float64 { return full.LearningRate * c.factor(s) },
				full.Beta1, full.Beta2, full.Epsilon)
			vector, matrix := stepsOf[float64](t, c.adam, theta, grads)
			assert.InDeltaSlice(t, want, vector, 1e-13)
			assert.Equal(t, vector, matrix)
			single, _ := stepsOf[float32](t, c.adam, theta, grads)
			assert.InDeltaSlice(t, want, single, 2e-5)
		})
	}
}

func TestAdamDefaultsAreThePapers(t *testing.T) {
	assert.Equal(t, optim.Adam{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8},
		optim.Adam{}.WithDefaults())
	kept := optim.Adam{LearningRate: 1, Beta1: 0.5, Beta2: 0.6, Epsilon: 0.1, Schedule: optim.Schedule{Warmup: 3}}
	assert.Equal(t, kept, kept.WithDefaults())
}

func TestAdamValidate(t *testing.T) {
	require.NoError(t, optim.Adam{}.Validate())
	for word, a := range map[string]optim.Adam{
		"learning rate is -1":   {LearningRate: -1},
		"learning rate is NaN":  {LearningRate: math.NaN()},
		"learning rate is +Inf": {LearningRate: math.Inf(1)},
		"β₁ is 1":               {Beta1: 1},
		"β₁ is NaN":             {Beta1: math.NaN()},
		"β₂ is -0.5":            {Beta2: -0.5},
		"ε is -1e-08":           {Epsilon: -1e-8},
		"warm-up has -1":        {Schedule: optim.Schedule{Warmup: -1}},
	} {
		assert.ErrorContains(t, a.Validate(), word)
	}
}
