package learn_test

import (
	"context"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/devicetest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
)

// Every operator is learned on the devices of the backend that is given, as on one.
func TestEveryOperatorOverSeveralDevices(t *testing.T) {
	samples := mat.NewDense(64, 1, nil)
	for i := range 64 {
		samples.Set(i, 0, float64(i)/32-1)
	}
	var ring [][2]int
	for i := range 16 {
		ring = append(ring, [2]int{i, (i + 1) % 16})
	}
	square := func(x *graph.Node) *graph.Node { return graph.Square(x) }
	waves := net.Disjoint{In: 1, Hidden: []int{8}, Out: 3}
	bowl := schrodinger.System{Name: "bowl", Dim: 1, Potential: square}
	for name, op := range map[string]learn.Operator{
		"matrix": learn.Matrix{A: likeNeighbours(16)},
		"graph":  learn.Graph{Nodes: 16, Edges: ring},
		"kernel": learn.Kernel{Samples: samples, K: gaussian, Functions: net.MLP{In: 1, Hidden: []int{8}, Out: 3}},
		"pairs":  learn.Pairs{From: samples, To: samples, Functions: net.MLP{In: 1, Hidden: []int{8}, Out: 3}},
		"well": learn.Schrodinger{Potential: square, Box: net.Box{Lower: []float64{-4}, Upper: []float64{4}},
			Network: net.Disjoint{In: 1, Hidden: []int{8}, Out: 5}}, // two spare ones
		"direct": learn.Direct{System: bowl, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Network: waves},
	} {
		t.Run(name, func(t *testing.T) {
			s := learn.Settings{Steps: 2, Batch: 32, Judge: 64, Backend: devicetest.Virtual(t, 1)}
			one, err := learn.Learn(context.Background(), op, 3, s)
			require.NoError(t, err)
			s.Backend = devicetest.Virtual(t, 4)
			several, err := learn.Learn(context.Background(), op, 3, s)
			require.NoError(t, err)
			for i, x := range one.Result.Params {
				require.Less(t, devicetest.Difference(t, x, several.Result.Params[i]), 1e-4)
			}
		})
	}
}
