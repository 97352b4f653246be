package optim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
)

var optimisers = map[string]optim.Optimiser{"Adam": optim.Adam{}, "RMSProp": optim.RMSProp{}}

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
