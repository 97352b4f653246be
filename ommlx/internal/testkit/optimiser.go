package testkit

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/optim"
)

// tensorsOf returns parameters of the given dimensions for each run, and gradients for each step.
func tensorsOf(runs, steps int, dims ...[]int) (params []Array, grads [][]Array) {
	rng := NewRand(17)
	draw := func() (list []Array) {
		for _, d := range dims {
			list = append(list, Gaussian(rng, append([]int{runs}, d...)...))
		}
		return list
	}
	params = draw()
	for range steps {
		grads = append(grads, draw())
	}
	return params, grads
}

// Descent returns weights and biases, a convolution and a scalar, for each of two runs. Its gradients are from tiny to
// large, so that the bound of LARS's local rate applies at some steps and not at others. Some gradients are all zero
// for one run, and some weights start at zero.
func Descent(steps int) (params []Array, grads [][]Array) {
	params, grads = tensorsOf(2, steps, []int{3, 4}, []int{3}, []int{2, 1, 2, 2}, []int{})
	clear(params[0].Run(1).Data)
	for s, g := range grads {
		for i := range g {
			g[i] = g[i].Scaled(math.Pow(10, float64((3*s+i)%7-4)))
		}
		clear(g[s%2*2].Run(s / 2 % 2).Data)
	}
	return params, grads
}

// Trajectory takes a step for each list of gradients and returns the parameters after each: in float32 on XLA if there
// is one, in float64 on the pure-Go backend.
func Trajectory(t *testing.T, dtype dtypes.DType, o optim.Optimiser, params []Array,
	grads [][]Array) (after [][]Array) {
	t.Helper()
	n, engine := len(params), PureGo(t)
	if dtype == dtypes.Float32 {
		engine = Backend(t)
	}
	step := CompileFor(t, engine, In(dtype, func(in []*Node) []*Node {
		slots := slices.Collect(slices.Chunk(in[1+2*n:], n))
		p, slots := o.Update(ConvertDType(in[0], dtypes.Int32), in[1:1+n], in[1+n:1+2*n], slots)
		return append(p, slices.Concat(slots...)...)
	}))
	state := params
	for range o.Slots() {
		for _, p := range params {
			state = append(state, NewArray(p.Dims...))
		}
	}
	for s, g := range grads {
		taken := NewArray()
		taken.Data[0] = float64(s)
		state = step.Call(t, taken, state[:n], g, state[n:])
		after = append(after, state[:n])
	}
	return after
}

// RequireRunsApart requires a run to take the same steps by itself and together with one whose gradients are not
// numbers.
func RequireRunsApart(t *testing.T, o optim.Optimiser) {
	t.Helper()
	params, grads := tensorsOf(2, 6, []int{3, 2}, []int{4}, []int{})
	for _, g := range grads {
		for _, x := range g {
			x.Run(1).Data[0] = math.NaN()
		}
	}
	first := func(list []Array) []Array {
		return xslices.Map(list, func(x Array) Array {
			return Array{Dims: append([]int{1}, x.Dims[1:]...), Data: x.Run(0).Data}
		})
	}
	both := Trajectory(t, dtypes.Float64, o, params, grads)
	for s, want := range Trajectory(t, dtypes.Float64, o, first(params), xslices.Map(grads, first)) {
		RequireAllClose(t, want, first(both[s]), 1e-14, "the run that stays finite")
	}
}
