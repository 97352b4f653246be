package notebook

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Network trains the paper's network of a cell's coordinates by OMM-seq: k functions on all cells, N×k. The operator is
// the walk with discount 0.9 in episodes of 50 steps, from all pairs in every step, with a learning rate of 10⁻³.
func Network(w *gridworld.World, k, steps int) *mat.Dense {
	n := w.Grid.N()
	inputs := xslices.Map(w.Grid.Coordinates(), func(x float32) float64 { return float64(x) })
	coordinates := mat.NewDense(n, 2, inputs)
	var law mat.Dense
	law.Scale(1/float64(n), gridworld.GeometricTransition(w.P, 0.9, 50))
	walk := learn.Task{Functions: net.MLP{In: 2, Hidden: []int{256, 256, 256}, Out: k},
		Data: []*tensors.Tensor{train.Table(coordinates), train.Table(&law)},
		Draw: func(in learn.Inputs, _ int) ommlx.Batch {
			f, tf := operator.Weighted(in.F(graph.InsertAxes(in.Data[0], 0)), graph.InsertAxes(in.Data[1], 0))
			return ommlx.Batch{F: f, TF: tf}
		}}
	learned := Must(learn.Learn(context.Background(), walk, k, learn.Settings{Steps: steps,
		Options:   train.Options{Progress: Progress(w.Grid.Name)},
		Optimiser: optim.Adam{LearningRate: 1e-3, Schedule: optim.Schedule{Warmup: steps / 10}}}))
	return Must(learned.At(coordinates))
}

// Streamed runs streaming PCA, [OjaStep], on steps s → s' of the walk: x = √(N/2) (e_s + e_s') has E[xxᵀ] = I + P. It
// returns k functions on all cells, N×k.
func Streamed(w *gridworld.World, k, steps int) *mat.Dense {
	n, from, to := w.Grid.N(), make([]int32, steps), make([]int32, steps)
	episodes := Must(gridworld.Collect(w.Grid, 1_000_000, 50, 1))
	episodes.SamplePairs(rand.New(rand.NewPCG(5, 6)), 0, from, to)
	vt, x := StreamStart(k, n, 1), make([]float64, n)
	for t := range from {
		clear(x)
		x[from[t]] += math.Sqrt(float64(n) / 2)
		x[to[t]] += math.Sqrt(float64(n) / 2)
		OjaStep(vt, x, 100/(200*float64(n)+float64(t+1)))
	}
	return mat.DenseCopyOf(vt.T())
}

// Away returns the mean sin² of the angles between functions on all cells, N×k, and the true eigenspaces.
func Away(w *gridworld.World, functions *mat.Dense) float64 {
	cosines, _, err := gridworld.CosineSimilarity(w.Truth, functions)
	Check(err)
	return max(0, 1-floats.Dot(cosines, cosines)/float64(len(cosines))) // except for rounding
}

// Solved are functions of one environment by several methods.
type Solved struct {
	World     *gridworld.World
	names     []string
	functions []*mat.Dense
	rows      [][]string
}

// Add records the functions of a method on all cells, N×k, its seconds, and [Away].
func (s *Solved) Add(method string, solve func() *mat.Dense) {
	var found *mat.Dense
	took := Seconds(func() { found = solve() })
	s.names, s.functions = append(s.names, method), append(s.functions, found)
	s.rows = append(s.rows, []string{method, fmt.Sprintf("%.2g", took), fmt.Sprintf("%.1e", Away(s.World, found))})
}

// Show shows the table, and one mode, counted from 1, by each method.
func (s *Solved) Show(mode int) {
	Table([]string{fmt.Sprintf("%s, N = %d", s.World.Grid.Name, s.World.Grid.N()), "seconds", "error"}, s.rows)
	Check(Show(s.maps(mode)))
}

// maps draws functions with the sign of the true one.
func (s *Solved) maps(mode int) draw.HeatMaps {
	row, truth := draw.HeatMaps{Columns: len(s.names)}, mat.Col(nil, mode-1, s.World.Truth.Vectors)
	row.Note = fmt.Sprintf("Function %d of %s.", mode, s.World.Grid.Name)
	layout := rl.LayoutOf(s.World.Grid)
	for i, name := range s.names {
		f := signed(mat.Col(nil, mode-1, s.functions[i]), truth)
		row.Maps = append(row.Maps, draw.HeatMap{Title: name, Layout: layout, Values: f})
	}
	return row
}
