package ommlx_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
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
		ommlx.ALLO{Barrier: 1, BarrierRate: 0.1, DualRate: 1e-2, MaxDual: 10},
		ommlx.Shifted{Objective: ommlx.ALLO{Graph: ommlx.GraphMoments}, Kappa: 0.5},
		ommlx.NeuralEF{}, ommlx.SpIN{}, ommlx.SpIN{Decay: 1},
	}
}

// TestEveryObjective with M[f] from one batch and from two.
func TestEveryObjective(t *testing.T) {
	for _, o := range objectives() {
		t.Run(o.Name(), func(t *testing.T) {
			for _, batchOf := range []testkit.Batching{testkit.OneBatch, testkit.TwoBatches} {
				runSuite(t, o, batchOf)
			}
		})
	}
}

// runSuite checks the requirements on every objective, in float64 on the pure-Go engine.
func runSuite(t *testing.T, o ommlx.Objective, batchOf testkit.Batching) {
	const runs, batch, k = 3, 24, 4
	require.NoError(t, ommlx.Check(o, k))
	at, state := testkit.GaussianPoint(testkit.NewRand(5), runs, batch, k), testkit.LateState(o, runs, k)
	double := testkit.Compile(t, testkit.OnBatch(o, batchOf))
	got := testkit.EvaluateAt(t, double, at, state)

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
			require.Less(t, floats.Norm(a.Data, 1), math.MaxFloat64)
		}
		require.NotZero(t, mat.Norm(got.DF.Run(0).Matrix(), 2)+mat.Norm(got.DC1.Run(0).Matrix(), 2))
	})
	t.Run("deterministic", func(t *testing.T) {
		require.Equal(t, got.All, testkit.EvaluateAt(t, double, at, state).All)
	})
	t.Run("float32 in the engine of trainings agrees", func(t *testing.T) {
		single := testkit.CompileFor(t, testkit.Backend(t), testkit.In(dtypes.Float32, testkit.OnBatch(o, batchOf)))
		testkit.RequireAllClose(t, got.All, testkit.EvaluateAt(t, single, at, state).All, 1e-4, "float32")
	})
	t.Run("runs are independent", func(t *testing.T) {
		single := testkit.Compile(t, testkit.OnBatch(o, batchOf))
		for r := range runs {
			var own []testkit.Array
			for _, s := range state {
				own = append(own, s.Run(r))
			}
			alone := testkit.EvaluateAt(t, single,
				at.Map(func(a testkit.Array) testkit.Array { return a.Run(r) }), own)
			require.Empty(t, alone.Loss.Dims)
			for i, a := range alone.All {
				together := got.All[i].Run(r)
				testkit.RequireClose(t, a, testkit.Array{Dims: a.Dims, Data: together.Data}, 1e-12, "one run")
			}
		}
	})
	t.Run("order of samples does not matter", func(t *testing.T) {
		reversed := testkit.EvaluateAt(t, double, at.Map(reverse), state)
		testkit.RequireClose(t, got.Loss, reversed.Loss, 1e-12, "loss")
		for i, g := range got.Gradients {
			testkit.RequireClose(t, g, reverse(reversed.Gradients[i]), 1e-12, "gradient")
		}
		testkit.RequireAllClose(t, got.Next, reversed.Next, 1e-12, "state")
	})
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
