package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

var optimisers = map[string]optim.Optimiser{
	"Adam": optim.Adam{}, "RMSProp": optim.RMSProp{}, "SGD": optim.SGD{}, "momentum": optim.SGD{Momentum: 0.9},
	"LARS": optim.LARS{}, "LARS with decay": optim.LARS{WeightDecay: 0.1},
}

// TestOptimisersKeepRunsApart: of two runs together one has a gradient that is not a number, and the other takes the
// same steps as by itself.
func TestOptimisersKeepRunsApart(t *testing.T) {
	first := func(list []testkit.Array) []testkit.Array { // run 0
		return xslices.Map(list, func(x testkit.Array) testkit.Array {
			one := x.Run(0)
			return testkit.Array{Dims: append([]int{1}, one.Dims...), Data: one.Data}
		})
	}
	for name, o := range optimisers {
		params, grads := problem(6)
		alone := trajectory(t, dtypes.Float64, o, first(params), xslices.Map(grads, first))
		for _, g := range slices.Concat(grads...) {
			g.Run(1).Data[0] = math.NaN()
		}
		for s, both := range trajectory(t, dtypes.Float64, o, params, grads) {
			testkit.RequireAllClose(t, alone[s], first(both), 1e-14, name)
		}
	}
}

// problem returns weights and biases, a convolution and a scalar, for each of two runs, and gradients for each step,
// from tiny to large. Some gradients are all zero for one run, and some weights start at zero.
func problem(steps int) (params []testkit.Array, grads [][]testkit.Array) {
	rng := testkit.NewRand(17)
	draw := func() []testkit.Array {
		return xslices.Map([][]int{{2, 3, 4}, {2, 3}, {2, 2, 1, 2, 2}, {2}}, func(dims []int) testkit.Array {
			return testkit.Gaussian(rng, dims...)
		})
	}
	params = draw()
	clear(params[0].Run(1).Data)
	for s := range steps {
		g := draw()
		for i := range g {
			g[i] = g[i].Scaled(math.Pow(10, float64((3*s+i)%7-4)))
		}
		clear(g[s%2*2].Run(s / 2 % 2).Data)
		grads = append(grads, g)
	}
	return params, grads
}

// trajectory takes a step for each list of gradients and returns the parameters after each: in float32 on XLA if there
// is one, in float64 on the pure-Go backend.
func trajectory(t *testing.T, dtype dtypes.DType, o optim.Optimiser, params []testkit.Array,
	grads [][]testkit.Array) (after [][]testkit.Array) {
	t.Helper()
	n, engine := len(params), testkit.PureGo(t)
	if dtype == dtypes.Float32 {
		engine = testkit.Backend(t)
	}
	step := testkit.CompileFor(t, engine, testkit.In(dtype, func(in []*Node) []*Node {
		slots := slices.Collect(slices.Chunk(in[1+2*n:], n))
		p, slots := o.Update(ConvertDType(in[0], dtypes.Int32), in[1:1+n], in[1+n:1+2*n], slots)
		return append(p, slices.Concat(slots...)...)
	}))
	state := params
	for range o.Slots() {
		for _, p := range params {
			state = append(state, testkit.NewArray(p.Dims...))
		}
	}
	for s, g := range grads {
		taken := testkit.NewArray()
		taken.Data[0] = float64(s)
		state = step.Call(t, taken, state[:n], g, state[n:])
		after = append(after, state[:n])
	}
	return after
}

// TestEMAClosedForm: after n steps from θ_0, θ̄_n = dⁿθ_0 + (1−d) Σ_t d^{n−t} θ_t.
func TestEMAClosedForm(t *testing.T) {
	const n, d = 30, 0.9
	theta := func(step, i int) float64 { return math.Sin(float64(step)) * float64(1+i) }
	at := func(step int) testkit.Array {
		return testkit.Array{Dims: []int{2}, Data: []float64{theta(step, 0), theta(step, 1)}}
	}
	update := testkit.Compile(t, func(in []*Node) []*Node {
		return optim.EMA{Decay: d}.Update(in[:1], in[1:])
	})
	average := at(0)
	for step := 1; step <= n; step++ {
		average = update.Call(t, average, at(step))[0]
	}
	for i, got := range average.Data {
		want := math.Pow(d, n) * theta(0, i)
		for step := 1; step <= n; step++ {
			want += (1 - d) * math.Pow(d, float64(n-step)) * theta(step, i)
		}
		assert.InDelta(t, want, got, 1e-14)
	}
}

// TestDefaults: zero fields take the values of the papers and PyTorch; other fields stay.
func TestDefaults(t *testing.T) {
	adam := optim.Adam{LearningRate: 1, Beta1: 0.5, Beta2: 0.6, Epsilon: 0.1, Schedule: optim.Schedule{Warmup: 3}}
	lars := optim.LARS{LearningRate: 1, Trust: 0.5, Momentum: 0.1, WeightDecay: 2, Unclipped: true}
	rms := optim.RMSProp{LearningRate: 1, Decay: 0.5, Epsilon: 0.1}
	sgd := optim.SGD{LearningRate: 1, Momentum: 0.5, WeightDecay: 0.1}
	for _, c := range [][2]optim.Optimiser{
		{optim.Adam{}.WithDefaults(), optim.Adam{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}},
		{optim.LARS{}.WithDefaults(), optim.LARS{LearningRate: 0.3, Trust: 0.02, Momentum: 0.9}},
		{optim.RMSProp{}.WithDefaults(), optim.RMSProp{LearningRate: 1e-2, Decay: 0.99, Epsilon: 1e-8}},
		{optim.SGD{}.WithDefaults(), optim.SGD{LearningRate: 0.1}},
		{adam.WithDefaults(), adam}, {lars.WithDefaults(), lars}, {rms.WithDefaults(), rms}, {sgd.WithDefaults(), sgd},
	} {
		assert.Equal(t, c[1], c[0])
	}
	assert.Equal(t, [2]int{0, 1}, [2]int{optim.SGD{}.Slots(), sgd.Slots()})
}

func TestSettingsThatDoNotFit(t *testing.T) {
	for _, o := range optimisers {
		require.NoError(t, o.Validate())
	}
	for word, o := range map[string]interface{ Validate() error }{
		"learning rate is -1":   optim.Adam{LearningRate: -1},
		"learning rate is NaN":  optim.Adam{LearningRate: math.NaN()},
		"learning rate is +Inf": optim.SGD{LearningRate: math.Inf(1)},
		"β₁ is 1":               optim.Adam{Beta1: 1},
		"α is 1":                optim.RMSProp{Decay: 1},
		"trust":                 optim.LARS{Trust: -0.1},
		"Warmup is -1":          optim.LARS{Schedule: optim.Schedule{Warmup: -1}},
		"Decay is 1":            optim.EMA{Decay: 1},
		`"linear"`:              optim.Schedule{Decay: "linear"},
		"Steps is 10":           optim.Schedule{Warmup: 10, Decay: optim.Cosine, Steps: 10},
		"WarmupFrom is NaN":     optim.Schedule{Warmup: 10, WarmupFrom: math.NaN()},
		"WarmupFrom is 0.1":     optim.Schedule{WarmupFrom: 0.1},
		"Milestones []":         optim.Schedule{Decay: optim.Tenths},
		"Milestones [3]":        optim.Schedule{Milestones: []int{3}},
		"[3 3]":                 optim.Schedule{Decay: optim.Tenths, Milestones: []int{3, 3}},
		"[5]":                   optim.Schedule{Decay: optim.Tenths, Milestones: []int{5}, Warmup: 9},
	} {
		assert.ErrorContains(t, o.Validate(), word)
	}
}
