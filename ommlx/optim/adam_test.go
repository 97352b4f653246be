package optim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
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

// optimiser is Adam or RMSProp.
type optimiser interface {
	Update(step *Node, params, grads, m, v []*Node, keep func(next, old *Node) *Node) (newParams, newM, newV []*Node)
}

// stepsOf takes one step for each gradient on a vector and a matrix with the same numbers, and returns both.
func stepsOf[T float32 | float64](t *testing.T, o optimiser, theta []float64, grads [][]float64) (vector, matrix []float64) {
	t.Helper()
	step := graphtest.Compiled(t, func(in []*Node) []*Node {
		p, m, v := o.Update(in[0], in[1:3], in[3:5], in[5:7], in[7:9], nil)
		return append(append(p, m...), v...)
	})
	both := func(x []float64) []any {
		flat := make([]T, len(x))
		for i := range x {
			flat[i] = T(x[i])
		}
		return []any{tensors.FromFlatDataAndDimensions(flat, len(x)),
			tensors.FromFlatDataAndDimensions(flat, 2, len(x)/2)}
	}
	zero := both(make([]float64, len(theta)))
	state := append(append(both(theta), zero...), zero...)
	for s, g := range grads {
		args := append([]any{tensors.FromScalar(int32(s))}, state[:2]...)
		args = append(append(args, both(g)...), state[2:]...)
		for i, out := range graphtest.Run(t, step, args...) {
			state[i] = out
		}
	}
	read := func(x any) (out []float64) {
		for _, y := range tensors.MustCopyFlatData[T](x.(*tensors.Tensor)) {
			out = append(out, float64(y))
		}
		return out
	}
	return read(state[0]), read(state[1])
}

// problem returns a start and gradients of very different sizes, zeros among them.
func problem(steps int) (theta []float64, grads [][]float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 8
	for range n {
		theta = append(theta, rng.NormFloat64())
	}
	for s := range steps {
		g := make([]float64, n)
		for i := range g {
			g[i] = rng.NormFloat64() * math.Pow(10, float64(i-5))
		}
		g[s%n] = 0
		grads = append(grads, g)
	}
	return theta, grads
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
	assert.Equal(t, optim.Adam{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}, optim.Adam{}.WithDefaults())
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
