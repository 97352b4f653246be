package optim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
)

var optimisers = map[string]optim.Optimiser{
	"Adam": optim.Adam{}, "RMSProp": optim.RMSProp{}, "SGD": optim.SGD{}, "momentum": optim.SGD{Momentum: 0.9},
	"LARS": optim.LARS{}, "LARS with decay": optim.LARS{WeightDecay: 0.1},
	"accumulated": optim.Accumulate{Optimiser: optim.SGD{Momentum: 0.9}, Every: 3},
}

// stepsOf takes one step for each gradient on a vector and a matrix with the same numbers, and returns both.
func stepsOf[T float32 | float64](t *testing.T, o optim.Optimiser, theta []float64, grads [][]float64) (
	vector, matrix []float64) {
	t.Helper()
	step := graphtest.Compiled(t, func(in []*Node) []*Node {
		p, slots := o.Update(in[0], in[1:3], in[3:5], slices.Collect(slices.Chunk(in[5:], 2)), nil)
		return append(p, slices.Concat(slots...)...)
	})
	both := func(x []float64) []any {
		flat := make([]T, len(x))
		for i := range x {
			flat[i] = T(x[i])
		}
		return []any{tensors.FromFlatDataAndDimensions(flat, len(x)),
			tensors.FromFlatDataAndDimensions(flat, 2, len(x)/2)}
	}
	state := both(theta)
	for range o.Slots() {
		state = append(state, both(make([]float64, len(theta)))...)
	}
	for s, g := range grads {
		args := slices.Concat([]any{tensors.FromScalar(int32(s))}, state[:2], both(g), state[2:])
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

// All that an optimiser returns has passed through keep.
func TestOptimisersHoldBackWhatTheyAreTold(t *testing.T) {
	old := func(_, old *Node) *Node { return old }
	for name, o := range optimisers {
		args := []any{int32(3), []float64{1}, []float64{math.NaN()}}
		want := [][]float64{{1}}
		for s := range o.Slots() {
			args = append(args, []float64{float64(2 + s)})
			want = append(want, []float64{float64(2 + s)})
		}
		out := graphtest.Evaluate(t, func(in []*Node) []*Node {
			p, slots := o.Update(in[0], in[1:2], in[2:3], slices.Collect(slices.Chunk(in[3:], 1)), old)
			return append(p, slices.Concat(slots...)...)
		}, args...)
		assert.Equal(t, want, out, name)
	}
}

// Two runs together, one of them held back, take the steps that each takes alone.
func TestOptimisersKeepRunsApart(t *testing.T) {
	dims := [][]int{{3, 2}, {4}, {}}
	for name, o := range optimisers {
		t.Run(name, func(t *testing.T) {
			params, grads := tensorsOf(2, 6, dims...)
			for s := range grads {
				for i := range grads[s] {
					held := grads[s][i].Run(1).Data
					held[0] = math.NaN()
				}
			}
			keep := func(next, old *Node) *Node {
				first := Equal(Iota(old.Graph(), old.Shape(), 0), ZerosLike(old))
				return Where(first, next, old)
			}
			both := trajectory(t, dtypes.Float64, o, params, grads, keep)
			alone := func(list []graphtest.Array) (first []graphtest.Array) {
				for _, x := range list {
					one := x.Run(0)
					first = append(first, graphtest.Array{Dims: append([]int{1}, one.Dims...), Data: one.Data})
				}
				return first
			}
			var firstGrads [][]graphtest.Array
			for _, g := range grads {
				firstGrads = append(firstGrads, alone(g))
			}
			for s, want := range trajectory(t, dtypes.Float64, o, alone(params), firstGrads, nil) {
				for i, x := range both[s] {
					graphtest.RequireClose(t, want[i], alone(both[s])[i], 1e-14, "the run that goes on")
					assert.Equal(t, params[i].Run(1), x.Run(1), "the run that is held back")
				}
			}
		})
	}
}

// tensorsOf returns parameters of these dimensions for each run, and gradients for each step.
func tensorsOf(runs, steps int, dims ...[]int) (params []graphtest.Array, grads [][]graphtest.Array) {
	rng := graphtest.NewRand(17)
	draw := func() (list []graphtest.Array) {
		for _, d := range dims {
			list = append(list, graphtest.Gaussian(rng, append([]int{runs}, d...)...))
		}
		return list
	}
	params = draw()
	for range steps {
		grads = append(grads, draw())
	}
	return params, grads
}

// trajectory takes a step for each list of gradients and returns the parameters after each: in float32 on XLA, where
// there is one, in float64 on the pure-Go backend, which need not compile.
func trajectory(t *testing.T, dtype dtypes.DType, o optim.Optimiser, params []graphtest.Array,
	grads [][]graphtest.Array, keep func(next, old *Node) *Node) (after [][]graphtest.Array) {
	t.Helper()
	n, engine := len(params), graphtest.PureGo(t)
	if dtype == dtypes.Float32 {
		engine = graphtest.Backend(t)
	}
	step := graphtest.NewProgramOn(t, engine, dtype, func(in []*Node) []*Node {
		slots := slices.Collect(slices.Chunk(in[1+2*n:], n))
		p, slots := o.Update(ConvertDType(in[0], dtypes.Int32), in[1:1+n], in[1+n:1+2*n], slots, keep)
		return append(p, slices.Concat(slots...)...)
	})
	state := params
	for range o.Slots() {
		for _, p := range params {
			state = append(state, graphtest.NewArray(p.Dims...))
		}
	}
	for s, g := range grads {
		taken := graphtest.NewArray()
		taken.Data[0] = float64(s)
		state = step.Call(t, slices.Concat([]graphtest.Array{taken}, state[:n], g, state[n:])...)
		after = append(after, state[:n])
	}
	return after
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

func TestAccumulationThatCannotBe(t *testing.T) {
	require.ErrorContains(t, optim.Accumulate{Every: 1}.Validate(), "there is no optimiser")
	require.ErrorContains(t, optim.Accumulate{Optimiser: optim.SGD{}}.Validate(), "has 0 gradients")
	wrong := optim.Accumulate{Optimiser: optim.SGD{LearningRate: -1}, Every: 2}
	require.ErrorContains(t, wrong.Validate(), "SGD: the learning rate is -1")
	require.NoError(t, optim.Accumulate{Optimiser: optim.SGD{}, Every: 2}.Validate())
}

// TestEMAClosedForm: after n steps from θ_0, θ̄_n = dⁿθ_0 + (1−d) Σ_t d^{n−t} θ_t.
func TestEMAClosedForm(t *testing.T) {
	const n, d = 30, 0.9
	theta := func(step, i int) float64 { return math.Sin(float64(step)) * float64(1+i) }
	at := func(step int) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions([]float64{theta(step, 0), theta(step, 1)}, 2)
	}
	update := graphtest.Compiled(t, func(in []*Node) []*Node { return optim.EMA{Decay: d}.Update(in[:1], in[1:]) })
	average := at(0)
	for step := 1; step <= n; step++ {
		average = graphtest.Run(t, update, average, at(step))[0]
	}
	for i, got := range tensors.MustCopyFlatData[float64](average) {
		want := math.Pow(d, n) * theta(0, i)
		for step := 1; step <= n; step++ {
			want += (1 - d) * math.Pow(d, float64(n-step)) * theta(step, i)
		}
		assert.InDelta(t, want, got, 1e-14)
	}
}

func TestEMAValidate(t *testing.T) {
	for _, d := range []float64{0, 0.5, 0.9999} {
		require.NoError(t, optim.EMA{Decay: d}.Validate())
	}
	for _, d := range []float64{-0.1, 1, math.NaN()} {
		assert.ErrorContains(t, optim.EMA{Decay: d}.Validate(), "decay is")
	}
}
