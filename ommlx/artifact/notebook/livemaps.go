package notebook

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// learnedValues returns learned functions at N points, N×k for each run of a training.
type learnedValues func(now train.Snapshot) ([]*mat.Dense, error)

// valuesAt returns the values of functions at points, N×D, in a number of runs. It uses the pure-Go engine, for which
// it compiles at once, before the training begins.
func valuesAt(functions net.Functions, points mat.Matrix, runs int) learnedValues {
	p := train.Problem{Seeds: make([]int64, runs), Data: []*tensors.Tensor{train.Table(points)}}
	p.Params = functions.Init(p.Seeds)
	evaluate, _ := p.Evaluator(Must(backend.PureGo()), func(in train.Inputs) []*graph.Node {
		return []*graph.Node{functions.Apply(in.Params, graph.BroadcastPrefix(in.Data[0], runs))}
	})
	at := func(now train.Snapshot) (list []*mat.Dense, err error) {
		var local []*tensors.Tensor // copies for this engine
		for _, param := range now.Best() {
			c, err := param.LocalClone()
			if err != nil {
				return nil, err
			}
			local = append(local, c)
		}
		all, err := evaluate(train.Snapshot{Params: local})
		for _, run := range all {
			list = append(list, run[0])
		}
		return list, err
	}
	Must(at(train.Snapshot{Params: p.Params}))
	return at
}

// learnedMaps draws functions for [Live]: the given modes, counted from 1, of values on the N places of a layout. There
// is a row for each run, which needs a name, with the signs of the exact functions, N×k', and the cosine in each title.
// The last row has the exact functions.
func learnedMaps(layout draw.Layout, at learnedValues, exact *mat.Dense, runs []string,
	modes ...int) func(now train.Snapshot) (draw.Drawing, error) {
	return func(now train.Snapshot) (draw.Drawing, error) {
		all, err := at(now)
		if err != nil {
			return nil, err
		}
		out := draw.HeatMaps{Columns: len(modes), Note: fmt.Sprintf("step %d", now.Step)}
		add := func(title string, f []float64) {
			out.Maps = append(out.Maps, draw.HeatMap{Title: title, Layout: layout, Values: f})
		}
		for r, name := range runs {
			for _, mode := range modes {
				f, g := mat.Col(nil, mode-1, all[r]), mat.Col(nil, mode-1, exact)
				cosine := floats.Dot(signed(f, g), g) / (floats.Norm(f, 2) * floats.Norm(g, 2))
				add(fmt.Sprintf("%s %d: %.2f", name, mode, cosine), f)
			}
		}
		for _, mode := range modes {
			add(fmt.Sprintf("exact %d", mode), mat.Col(nil, mode-1, exact))
		}
		return out, nil
	}
}

// Rooms draws the functions of a walk in an environment for [Live]: a row for each run with a name, and the exact
// functions.
func Rooms(w *gridworld.World, walk learn.Graph, runs []string,
	modes ...int) func(now train.Snapshot) (draw.Drawing, error) {
	layout := rl.LayoutOf(w.Grid)
	exact := linalg.Columns(w.Truth.Vectors, 0, slices.Max(modes))
	return learnedMaps(layout, valuesAt(walk.Functions, walk.Features, len(runs)), exact, runs, modes...)
}
