package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/backend"
)

// objectives are those that the suite runs: every one with a short id, and some settings that have none.
func objectives(t testing.TB) []ommlx.Objective {
	var all []ommlx.Objective
	for _, name := range ommlx.Names() {
		o, err := ommlx.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, name, o.Name())
		all = append(all, o)
	}
	weights := []float64{0.5, 3, 1, 0.25}
	return append(all,
		ommlx.OMM{Orders: []float64{0, 0, 1}},
		ommlx.OMM{Orders: []float64{0.5, 0, 2}, Nesting: ommlx.Joint, Weights: weights},
		ommlx.SpIN{Decay: 1},
		ommlx.ALLO{BarrierForDuals: true, Barrier: 1, BarrierRate: 0.1, DualRate: 1e-2, MaxDual: 10},
		ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: 1},
		ommlx.Shifted{Objective: ommlx.ALLO{Graph: ommlx.GraphMoments}, Kappa: 0.5},
	)
}

// lateState is a state as in the middle of training, where nothing is zero.
func lateState(o ommlx.Objective, runs, k int) []array {
	rng := newRand(77)
	state := initState(o, runs, k)
	if _, ok := o.(ommlx.SpIN); ok { // an average of second moments, with and without a leading axis
		f := gaussian(rng, 3*k, k)
		for i := range state[0].Data {
			state[0].Data[i] += secondMoment(f, f).Data[i%(k*k)]
		}
		return state
	}
	for i := range state {
		for j := range state[i].Data {
			state[i].Data[j] += math.Abs(rng.NormFloat64())
		}
	}
	return state
}

// degree returns that of the loss as a polynomial of the squared length of f; 0 stands for a loss of directions alone.
func degree(o ommlx.Objective) int {
	switch o := o.(type) {
	case ommlx.NeuralEF, ommlx.SpIN:
		return 0
	case ommlx.OMM:
		return 2 * max(1, len(o.Orders))
	case ommlx.Shifted:
		return degree(o.Objective)
	}
	return 2
}

func TestEveryObjective(t *testing.T) {
	const runs, batch, k = 3, 24, 4
	for _, o := range objectives(t) {
		t.Run(o.Name(), func(t *testing.T) {
			require.NoError(t, ommlx.Check(o, k))
			at, state := gaussianPoint(newRand(5), runs, batch, k), lateState(o, runs, k)
			double := newProgramOn(t, trainingBackend(t), dtypes.Float64, lossProgram(o))
			got := evaluate(t, double, at, state)

			t.Run("shapes and finite numbers", func(t *testing.T) {
				require.Equal(t, []int{runs}, got.loss.Dims)
				require.Len(t, got.next, len(state))
				for i, s := range state {
					require.Equal(t, s.Dims, got.next[i].Dims)
				}
				for _, g := range got.gradients {
					require.Equal(t, at.f.Dims, g.Dims)
				}
				for _, a := range got.everyone {
					for _, v := range a.Data {
						require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
					}
				}
				require.NotZero(t, mat.Norm(got.dF.run(0).matrix(), 2))
			})
			t.Run("deterministic", func(t *testing.T) {
				require.Equal(t, got.everyone, evaluate(t, double, at, state).everyone)
			})
			t.Run("runs are independent, and the pure-Go backend agrees", func(t *testing.T) {
				single := newProgram(t, lossProgram(o))
				for r := range runs {
					var own []array
					for _, s := range state {
						own = append(own, s.run(r))
					}
					alone := evaluate(t, single, point{at.f.run(r), at.tf.run(r), at.c1.run(r), at.c2.run(r)}, own)
					require.Empty(t, alone.loss.Dims)
					for i, a := range alone.everyone {
						together := got.everyone[i].run(r)
						requireClose(t, a, array{a.Dims, together.Data}, 1e-12, "alone and together")
					}
				}
			})
			t.Run("order of samples does not matter", func(t *testing.T) {
				reversed := evaluate(t, double, point{reverse(at.f), reverse(at.tf), reverse(at.c1), reverse(at.c2)}, state)
				requireClose(t, got.loss, reversed.loss, 1e-12, "loss")
				for i, g := range got.gradients {
					requireClose(t, g, reverse(reversed.gradients[i]), 1e-12, "gradient")
				}
				for i, s := range got.next {
					requireClose(t, s, reversed.next[i], 1e-12, "state")
				}
			})
			t.Run("polynomial in the scale", func(t *testing.T) {
				n := degree(o)
				if n == 0 {
					var scaled []array
					for _, s := range state { // second moments
						scaled = append(scaled, s.scaled(4))
					}
					twice := evaluate(t, double, point{at.f.scaled(2), at.tf.scaled(2), at.c1, at.c2}, scaled)
					requireClose(t, got.loss, twice.loss, 1e-12, "loss")
					requireClose(t, got.dF, twice.dF.scaled(2), 1e-12, "gradient")
					return
				}
				require.InDelta(t, 0, scaleDifference(t, double, at, state, n+1), 1e-9, "more than degree %d", n)
				require.Greater(t, math.Abs(scaleDifference(t, double, at, state, n)), 1e-6, "less than degree %d", n)
			})
			t.Run("float32 steps inside a While agree with float64 steps", func(t *testing.T) {
				descendInWhile(t, o, double, at, state)
			})
		})
	}
}

// reverse turns the samples of [R, B, k] around.
func reverse(a array) array {
	b := newArray(a.Dims...)
	batch, k := a.Dims[1], a.Dims[2]
	for r := range a.Dims[0] {
		for i := range batch {
			from, to := (r*batch+i)*k, (r*batch+batch-1-i)*k
			copy(b.Data[to:to+k], a.Data[from:from+k])
		}
	}
	return b
}

// scaleDifference is the n-th difference of s ↦ loss(√s·f) over s = 0, 1, …, n for the first run, relative to its terms.
func scaleDifference(t *testing.T, p program, at point, state []array, n int) float64 {
	sum, size, binomial := 0.0, 0.0, 1.0
	for s := 0; s <= n; s++ {
		c := math.Sqrt(float64(s))
		loss := evaluate(t, p, point{at.f.scaled(c), at.tf.scaled(c), at.c1.scaled(c), at.c2.scaled(c)}, state).loss.Data[0]
		term := binomial * loss * float64(1-2*((n-s)%2))
		sum, size = sum+term, size+math.Abs(term)
		binomial = binomial * float64(n-s) / float64(s+1)
	}
	return sum / size
}

// descendInWhile does gradient steps in one call in float32, and the same steps one call each in float64.
func descendInWhile(t *testing.T, o ommlx.Objective, single program, at point, state []array) {
	if choice, err := backend.Choose(); err != nil || choice.Kind == backend.KindGo {
		t.Skip("this backend runs one step per call")
	}
	const steps, rate = 3, 1e-3
	loop := newProgramOn(t, trainingBackend(t), dtypes.Float32, func(in []*Node) []*Node {
		initial := append([]*Node{Const(in[0].Graph(), int32(0))}, in...)
		closure := func(fn func(now []*Node) []*Node) *Function {
			return NewClosure(in[0].Graph(), func(g *Graph) []*Node {
				now := make([]*Node, len(initial))
				for i, x := range initial {
					now[i] = Parameter(g, fmt.Sprintf("loop%d", i), x.Shape())
				}
				return fn(now)
			})
		}
		going := closure(func(now []*Node) []*Node {
			return []*Node{LessThan(now[0], Const(now[0].Graph(), int32(steps)))}
		})
		body := closure(func(now []*Node) []*Node {
			loss, next := o.Loss(ommlx.Batch{F: now[1], TF: now[2], C1: now[3], C2: now[4]}, now[5:])
			moved := []*Node{AddScalar(now[0], 1)}
			for i, g := range Gradient(ReduceAllSum(loss), now[1:5]...) {
				moved = append(moved, Sub(now[1+i], MulScalar(g, rate)))
			}
			return append(moved, next...)
		})
		return While(going, body, initial...)[1:]
	})
	want := at.inputs(state)
	for range steps {
		e := evaluate(t, single, point{want[0], want[1], want[2], want[3]}, want[4:])
		moved := make([]array, 0, len(want))
		for i, g := range e.gradients {
			a := want[i].clone()
			for j := range a.Data {
				a.Data[j] -= rate * g.Data[j]
			}
			moved = append(moved, a)
		}
		want = append(moved, e.next...)
	}
	for i, a := range loop.call(t, at.inputs(state)...) {
		requireClose(t, want[i], a, 1e-4, "after the loop")
	}
}

func TestWrongBatchesAreNamed(t *testing.T) {
	f := newArray(8, 3)
	for name, c := range map[string]struct {
		objective ommlx.Objective
		batch     func(f *Node) (ommlx.Batch, []*Node)
		want      string
	}{
		"no TF":       {ommlx.OMM{}, func(f *Node) (ommlx.Batch, []*Node) { return ommlx.Batch{F: f}, nil }, "must both be given"},
		"other shape": {ommlx.LoRA{}, func(f *Node) (ommlx.Batch, []*Node) { return ommlx.Batch{F: f, TF: Transpose(f, 0, 1)}, nil }, "same shape"},
		"one axis":    {ommlx.Sanger{}, func(f *Node) (ommlx.Batch, []*Node) { f = Reshape(f, -1); return ommlx.Batch{F: f, TF: f}, nil }, "[batch, k]"},
		"integers": {ommlx.OMM{}, func(f *Node) (ommlx.Batch, []*Node) {
			f = ConvertDType(f, dtypes.Int32)
			return ommlx.Batch{F: f, TF: f}, nil
		}, "float"},
		"no state":     {ommlx.ALLO{}, func(f *Node) (ommlx.Batch, []*Node) { return ommlx.Batch{F: f, TF: f}, nil }, "the 3 that InitState"},
		"bad settings": {ommlx.OMM{Nesting: 7}, func(f *Node) (ommlx.Batch, []*Node) { return ommlx.Batch{F: f, TF: f}, nil }, "nesting 7"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, func(in []*Node) []*Node {
				loss, _ := c.objective.Loss(c.batch(in[0]))
				return []*Node{loss}
			})
			_, err := p.tryCall(f)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := ommlx.Lookup("om")
	require.ErrorContains(t, err, `"om"`)
	require.ErrorContains(t, err, "omm_seq")
}

// Only ALLO and SpIN carry a state, and it starts in the shapes that Loss takes, with and without a run axis.
func TestInitialState(t *testing.T) {
	for _, o := range objectives(t) {
		state := o.InitState(2, 3)
		if _, ok := o.(ommlx.ALLO); !ok {
			continue
		}
		require.Len(t, state, 3)
		require.True(t, shapes.Make(dtypes.Float32, 2, 3, 3).Equal(state[0].Shape()))
		require.True(t, shapes.Make(dtypes.Float32, 2).Equal(state[1].Shape()))
		require.True(t, shapes.Make(dtypes.Float32).Equal(o.InitState(0, 3)[1].Shape()))
	}
	for runs, dims := range map[int][]int{0: {3, 3}, 2: {2, 3, 3}} {
		state := ommlx.SpIN{}.InitState(runs, 3)
		require.Len(t, state, 1)
		require.True(t, shapes.Make(dtypes.Float32, dims...).Equal(state[0].Shape()))
		for i, v := range fromTensor(state[0]).Data {
			require.Equal(t, i/3%3 == i%3, v == 1)
		}
	}
	require.Nil(t, ommlx.OMM{}.InitState(2, 3))
	require.Nil(t, ommlx.Shifted{Objective: ommlx.LoRA{}}.InitState(2, 3))
}
