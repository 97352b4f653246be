package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
)

// objectives lists every objective, with settings that take different code paths.
func objectives() []ommlx.Objective {
	weights, mixture := []float64{0.5, 3, 1, 0.25}, []float64{1, 1}
	return []ommlx.Objective{
		ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint}, ommlx.OMM{Nesting: ommlx.Sequential},
		ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights},
		ommlx.OMM{Orders: ommlx.Order(2)}, ommlx.OMM{Orders: mixture, Nesting: ommlx.Joint},
		ommlx.OMM{Orders: []float64{0.5, 0, 2}, Nesting: ommlx.Joint, Weights: weights},
		ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: 1},
		ommlx.Sanger{}, ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Joint},
		ommlx.LoRA{Nesting: ommlx.Sequential, Weights: weights},
		ommlx.ALLO{}, ommlx.ALLO{Graph: ommlx.GraphMoments}, ommlx.ALLO{Graph: ommlx.GraphProducts},
		ommlx.ALLO{BarrierForDuals: true, Barrier: 1, BarrierRate: 0.1, DualRate: 1e-2, MaxDual: 10},
		ommlx.Shifted{Objective: ommlx.ALLO{Graph: ommlx.GraphMoments}, Kappa: 0.5},
		ommlx.NeuralEF{}, ommlx.SpIN{}, ommlx.SpIN{Decay: 1},
	}
}

func TestEveryObjective(t *testing.T) {
	for _, o := range objectives() {
		t.Run(o.Name(), func(t *testing.T) {
			at, state, double := runSuite(t, o, oneBatch)
			t.Run("float32 steps inside a While agree with float64 steps", func(t *testing.T) {
				descendInWhile(t, o, double, at, state)
			})
		})
	}
}

func TestEveryObjectiveWithSeparateOverlap(t *testing.T) {
	for _, o := range objectives() {
		t.Run(o.Name(), func(t *testing.T) { runSuite(t, o, twoBatches) })
	}
}

// runSuite checks the requirements on every objective, in float64 on the pure-Go engine. It returns the program and its
// arguments.
func runSuite(t *testing.T, o ommlx.Objective, batchOf batching) (at testkit.Point, state []testkit.Array,
	double testkit.Program) {
	const runs, batch, k = 3, 24, 4
	require.NoError(t, ommlx.Check(o, k))
	at, state = testkit.GaussianPoint(testkit.NewRand(5), runs, batch, k), lateState(o, runs, k)
	double = testkit.NewProgramOn(t, testkit.PureGo(t), dtypes.Float64, onBatch(o, batchOf))
	got := evaluateAt(t, double, at, state)

	t.Run("shapes and finite numbers", func(t *testing.T) {
		require.Equal(t, []int{runs}, got.Loss.Dims)
		require.Len(t, got.Next, len(state))
		for i, s := range state {
			require.Equal(t, s.Dims, got.Next[i].Dims)
		}
		for _, g := range got.Gradients {
			require.Equal(t, at.F.Dims, g.Dims)
		}
		for _, a := range got.All {
			for _, v := range a.Data {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
			}
		}
		require.NotZero(t, mat.Norm(got.DF.Run(0).Matrix(), 2)+mat.Norm(got.DC1.Run(0).Matrix(), 2))
	})
	t.Run("deterministic", func(t *testing.T) {
		require.Equal(t, got.All, evaluateAt(t, double, at, state).All)
	})
	t.Run("runs are independent", func(t *testing.T) {
		single := testkit.NewProgram(t, onBatch(o, batchOf))
		for r := range runs {
			var own []testkit.Array
			for _, s := range state {
				own = append(own, s.Run(r))
			}
			alone := evaluateAt(t, single,
				at.Map(func(a testkit.Array) testkit.Array { return a.Run(r) }), own)
			require.Empty(t, alone.Loss.Dims)
			for i, a := range alone.All {
				together := got.All[i].Run(r)
				testkit.RequireClose(t, a, testkit.Array{Dims: a.Dims, Data: together.Data}, 1e-12, "one run")
			}
		}
	})
	t.Run("order of samples does not matter", func(t *testing.T) {
		reversed := evaluateAt(t, double, at.Map(reverse), state)
		testkit.RequireClose(t, got.Loss, reversed.Loss, 1e-12, "loss")
		for i, g := range got.Gradients {
			testkit.RequireClose(t, g, reverse(reversed.Gradients[i]), 1e-12, "gradient")
		}
		requireAllClose(t, got.Next, reversed.Next, 1e-12, "state")
	})
	return at, state, double
}

// reverse reverses the samples of [R, B, k].
func reverse(a testkit.Array) testkit.Array {
	b := a.Clone()
	for r := range a.Dims[0] {
		for i := range a.Dims[1] {
			b.Run(r).Matrix().SetRow(a.Dims[1]-1-i, a.Run(r).Matrix().RawRowView(i))
		}
	}
	return b
}

// descendInWhile compares gradient steps in one call in float32 with the same steps in separate calls in float64.
func descendInWhile(t *testing.T, o ommlx.Objective, single testkit.Program, at testkit.Point,
	state []testkit.Array) {
	if choice, err := backend.Choose(); err != nil || choice.Kind == backend.KindGo {
		t.Skip("the pure-Go engine runs one step per call")
	}
	const steps, rate = 3, 1e-3
	loop := testkit.NewProgramOn(t, testkit.Backend(t), dtypes.Float32, func(in []*Node) []*Node {
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
			loss, next := o.Loss(oneBatch(o, now[1:]), now[5:])
			moved := []*Node{AddScalar(now[0], 1)}
			for i, g := range Gradient(ReduceAllSum(loss), now[1:5]...) {
				moved = append(moved, Sub(now[1+i], MulScalar(g, rate)))
			}
			return append(moved, next...)
		})
		return While(going, body, initial...)[1:]
	})
	want := inputs(at, state)
	for range steps {
		e := evaluateAt(t, single, testkit.Point{F: want[0], TF: want[1], C1: want[2], C2: want[3]}, want[4:])
		for i, g := range e.Gradients {
			want[i] = want[i].Clone()
			floats.AddScaled(want[i].Data, -rate, g.Data)
		}
		want = append(want[:4], e.Next...)
	}
	requireAllClose(t, want, loop.Call(t, inputs(at, state)...), 1e-4, "after the loop")
}
