package learn_test

import (
	"context"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Every operator has the same loss and gradient on several devices as on one.
func TestEveryOperatorOverSeveralDevices(t *testing.T) {
	samples := mat.NewDense(64, 1, nil)
	for i := range 64 {
		samples.Set(i, 0, float64(i)/32-1)
	}
	square := func(x *graph.Node) *graph.Node { return graph.Square(x) }
	waves := net.Disjoint{In: 1, Hidden: []int{8}, Out: 3}
	bowl := schrodinger.System{Name: "bowl", Dim: 1,
		Potential: func(x *graph.Node) *graph.Node { return graph.AddScalar(square(x), -4) }}
	const k = 3
	var all []train.Problem
	for name, op := range map[string]learn.Operator{
		"matrix": learn.Matrix{A: likeNeighbours(16)},
		"graph":  petersen(),
		"kernel": learn.Kernel{Samples: samples, K: gaussian, Functions: net.MLP{In: 1, Hidden: []int{8}, Out: 3}},
		"pairs": learn.Pairs{From: samples, To: samples, HeldOut: -1, Functions: net.MLP{In: 1, Hidden: []int{8},
			Out: 3}},
		"well": learn.Schrodinger{Potential: square, Box: net.Box{Lower: []float64{-4}, Upper: []float64{4}},
			Network: net.Disjoint{In: 1, Hidden: []int{8}, Out: 5}}, // two spare ones
		"direct": learn.Direct{System: bowl, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Network: waves},
	} {
		task := testkit.Must(op.Task(ommtest.Virtual(t, 4), k))
		t.Logf("problem %d is %s", len(all), name)
		all = append(all, train.Problem{Seeds: []int64{1}, Params: task.Functions.Init([]int64{1}), Data: task.Data,
			Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
				return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(task.Draw(learn.Inputs{Inputs: in,
					F: func(x *graph.Node) *graph.Node { return task.Functions.Apply(in.Params, x) }}, 32), nil)
			}})
	}
	ommtest.AsOnOne(t, ommtest.Together(all...), 1e-4, 4)
}

// A training is on all devices of the backend that is given.
func TestLearningOverSeveralDevices(t *testing.T) {
	var learned [2]*learn.Learned
	for i, devices := range []int{1, 4} {
		var err error
		learned[i], err = learn.Learn(context.Background(), learn.Matrix{A: likeNeighbours(16)}, 3,
			learn.Settings{Steps: 2, Batch: 32, Judge: 64, Backend: ommtest.Virtual(t, devices)})
		require.NoError(t, err)
	}
	for i, x := range learned[0].Result.Params {
		require.Less(t, ommtest.TensorDifference(t, x, learned[1].Result.Params[i]), 1e-4)
	}
}
