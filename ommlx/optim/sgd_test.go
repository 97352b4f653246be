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

func TestRMSPropDefaultsArePyTorchs(t *testing.T) {
	assert.Equal(t, optim.RMSProp{LearningRate: 1e-2, Decay: 0.99, Epsilon: 1e-8}, optim.RMSProp{}.WithDefaults())
	kept := optim.RMSProp{LearningRate: 1, Decay: 0.5, Epsilon: 0.1, Schedule: optim.Schedule{Warmup: 3}}
	assert.Equal(t, kept, kept.WithDefaults())
}

func TestRMSPropValidate(t *testing.T) {
	require.NoError(t, optim.RMSProp{}.Validate())
	for word, r := range map[string]optim.RMSProp{
		"RMSProp: the learning rate is -1": {LearningRate: -1},
		"RMSProp: α is 1":                  {Decay: 1},
		"RMSProp: ε is -1":                 {Epsilon: -1},
		"warm-up has -1":                   {Schedule: optim.Schedule{Warmup: -1}},
	} {
		assert.ErrorContains(t, r.Validate(), word)
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
