package optim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

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

// Three steps by hand, with α = ¾, η = ⅛ and ε = 1. The first entry has v = ¼·4 = 1, then ¾·1 + ¼·5 = 2, then a
// gradient that is 0; the second has v = 1, then ¾ with a gradient that is 0, then ¾·¾ + ¼.
func TestRMSPropByHand(t *testing.T) {
	r := optim.RMSProp{LearningRate: 1. / 8, Decay: 3. / 4, Epsilon: 1}
	theta, grads := []float64{1, 1}, [][]float64{{2, -2}, {math.Sqrt(5), 0}, {0, 1}}
	want := []float64{
		1 - 2./8/(1+1) - math.Sqrt(5)/8/(math.Sqrt2+1),
		1 + 2./8/(1+1) - 1./8/(math.Sqrt(0.75*0.75+0.25)+1),
	}
	vector, matrix := stepsOf[float64](t, r, theta, grads)
	assert.InDeltaSlice(t, want, vector, 1e-15)
	assert.Equal(t, vector, matrix)
}

// The update as torch.optim.RMSprop documents it, without momentum, centring and weight decay, over many steps and
// gradients of very different sizes.
func TestRMSPropIsPyTorchs(t *testing.T) {
	cosine := optim.Schedule{Decay: optim.Cosine, Steps: 40}
	for name, r := range map[string]optim.RMSProp{
		"defaults": {}, "other constants": {LearningRate: 0.02, Decay: 0.9, Epsilon: 1e-3},
		"cosine": {Schedule: cosine},
	} {
		t.Run(name, func(t *testing.T) {
			theta, grads := problem(50)
			full := r.WithDefaults()
			want, v := append([]float64{}, theta...), make([]float64, len(theta))
			for s, g := range grads {
				rate := full.LearningRate
				if r.Schedule.Decay == optim.Cosine {
					rate *= (1 + math.Cos(math.Pi*min(1, float64(s)/40))) / 2
				}
				for i := range want {
					v[i] = full.Decay*v[i] + (1-full.Decay)*g[i]*g[i]
					want[i] -= rate * g[i] / (math.Sqrt(v[i]) + full.Epsilon)
				}
			}
			vector, matrix := stepsOf[float64](t, r, theta, grads)
			assert.InDeltaSlice(t, want, vector, 1e-13)
			assert.Equal(t, vector, matrix)
			single, _ := stepsOf[float32](t, r, theta, grads)
			assert.InDeltaSlice(t, want, single, 2e-5)
		})
	}
}

// Without a correction for bias the first step is 1/√(1−α) times the learning rate, whatever the gradient; that of Adam
// is the learning rate.
func TestFirstStepsOfRMSPropAndAdam(t *testing.T) {
	for _, size := range []float64{1e-3, 1, 1e5} {
		theta, grads := []float64{0, 0}, [][]float64{{size, -size}}
		ten, _ := stepsOf[float64](t, optim.RMSProp{LearningRate: 0.1}, theta, grads)
		assert.InDeltaSlice(t, []float64{-1, 1}, ten, 2e-4)
		one, _ := stepsOf[float64](t, optim.Adam{LearningRate: 0.1}, theta, grads)
		assert.InDeltaSlice(t, []float64{-0.1, 0.1}, one, 2e-6)
	}
}

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

// Steps of accumulated gradients are the other optimiser's steps with their means, with its schedule; a part of a step
// moves nothing.
func TestAccumulatedStepsAreThoseOfTheMeans(t *testing.T) {
	const every = 3
	theta, grads := problem(4 * every)
	var means [][]float64
	for s := 0; s < len(grads); s += every {
		mean := make([]float64, len(theta))
		for _, g := range grads[s : s+every] {
			for i := range mean {
				mean[i] += g[i] / every
			}
		}
		means = append(means, mean)
	}
	schedule := optim.Schedule{Warmup: 2, WarmupFrom: 0.5, Decay: optim.Cosine, Steps: 4}
	for _, o := range []optim.Optimiser{optim.SGD{Momentum: 0.9, Schedule: schedule}, optim.LARS{Schedule: schedule},
		optim.Adam{LearningRate: 0.1, Schedule: schedule}} {
		t.Run(fmt.Sprintf("%T", o), func(t *testing.T) {
			a := optim.Accumulate{Optimiser: o, Every: every}
			wantVector, wantMatrix := stepsOf[float64](t, o, theta, means)
			vector, matrix := stepsOf[float64](t, a, theta, grads)
			assert.InDeltaSlice(t, wantVector, vector, 1e-12)
			assert.InDeltaSlice(t, wantMatrix, matrix, 1e-12)

			begun, _ := stepsOf[float64](t, a, theta, grads[:every-1])
			assert.Equal(t, theta, begun)
			after, _ := stepsOf[float64](t, a, theta, grads[:every+1])
			once, _ := stepsOf[float64](t, a, theta, grads[:every])
			assert.Equal(t, once, after)
			assert.NotEqual(t, theta, once)
		})
	}
}
