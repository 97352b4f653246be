package notebook

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/learn"
)

// Walk returns the random walk on an environment as a graph: a node for each cell, with its coordinates as features,
// and an edge for each possible move, with its probability as weight.
func Walk(w *gridworld.World) learn.Graph {
	features := mat.NewDense(w.Grid.N(), 2, nil)
	walk := learn.Graph{Nodes: w.Grid.N(), Features: features}
	for s := range walk.Nodes {
		row, column := w.Grid.Cell(s)
		features.SetRow(s, []float64{float64(row) / float64(w.Grid.Rows),
			float64(column) / float64(w.Grid.Cols)})
		for t := range s + 1 {
			if p := w.P.At(s, t); p > 0 {
				walk.Edges, walk.Weights = append(walk.Edges, [2]int{s, t}), append(walk.Weights, p)
			}
		}
	}
	return walk
}

// ExactPairs draws a batch of pairs with lags of discount gamma from episodes and returns the first k exact
// eigenfunctions at both ends, [1, batch, k] each. Their mean square over all states is 1.
func ExactPairs(w *gridworld.World, k int, episodes *gridworld.Episodes, gamma float64, batch int,
	rng *rand.Rand) (f, next *tensors.Tensor) {
	from, to := make([]int32, batch), make([]int32, batch)
	episodes.SamplePairs(rng, gamma, from, to)
	at := func(states []int32) *tensors.Tensor {
		flat := make([]float32, 0, k*batch)
		for _, s := range states {
			for i := range k {
				flat = append(flat, float32(w.Truth.Vectors.At(int(s), i)*math.Sqrt(float64(w.Grid.N()))))
			}
		}
		return tensors.FromFlatDataAndDimensions(flat, 1, batch, k)
	}
	return at(from), at(to)
}
