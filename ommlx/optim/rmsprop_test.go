package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/optim"
)

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
