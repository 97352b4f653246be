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

// Values returns learned functions at N points, N×k for each run of a training.
type Values func(now train.Snapshot) ([]*mat.Dense, error)

// ValuesOf builds values, [R, N, k], for a training of p. It uses the pure-Go engine, for which it compiles at once,
// before the training begins. To evaluate at other points, change p.Data.
func ValuesOf(p train.Problem, values func(in train.Inputs) *graph.Node) Values {
	p.Data = Must(copies(p.Data))
	evaluate, _ := p.Evaluator(Must(backend.PureGo()), func(in train.Inputs) []*graph.Node {
		return []*graph.Node{values(in)}
	})
	all := func(now train.Snapshot) (list []*mat.Dense, err error) {
		params, err := copies(now.Best())
		if err != nil {
			return nil, err
		}
		state, err := copies(now.State)
		if err != nil {
			return nil, err
		}
		runs, err := evaluate(train.Snapshot{Params: params, State: state})
		for _, run := range runs {
			list = append(list, run[0])
		}
		return list, err
	}
	Must(all(train.Snapshot{Params: p.Params, State: p.State}))
	return all
}

// ValuesAt is [ValuesOf] for functions at points, N×D, in a number of runs.
func ValuesAt(functions net.Functions, points mat.Matrix, runs int) Values {
	p := train.Problem{Seeds: make([]int64, runs), Data: []*tensors.Tensor{train.Table(points)}}
	p.Params = functions.Init(p.Seeds)
	return ValuesOf(p, func(in train.Inputs) *graph.Node {
		return functions.Apply(in.Params, graph.BroadcastPrefix(in.Data[0], runs))
	})
}

// copies returns tensors for another engine.
func copies(list []*tensors.Tensor) (local []*tensors.Tensor, err error) {
	for _, t := range list {
		c, err := t.LocalClone()
		if err != nil {
			return nil, err
		}
		local = append(local, c)
	}
	return local, nil
}

// Grid is the layout of [Maps] on a square or rectangle without walls.
func Grid(rows, columns int) draw.Layout {
	row := fmt.Sprintf("%*s", columns, "")
	l := draw.Layout{}
	for range rows {
		l.Rows = append(l.Rows, row)
	}
	return l
}

// Maps draws functions for [Live]: the given modes, counted from 1, of values on the N places of a layout. There is a
// row for each run, which needs a name; with exact, N×k', a last row has the exact functions, learned ones get their
// sign, and their titles end with the cosine.
func Maps(layout draw.Layout, values Values, exact *mat.Dense, runs []string,
	modes ...int) func(now train.Snapshot) (draw.Drawing, error) {
	return func(now train.Snapshot) (draw.Drawing, error) {
		all, err := values(now)
		if err != nil {
			return nil, err
		}
		if len(all) != len(runs) {
			return nil, fmt.Errorf("notebook: %d names for %d runs", len(runs), len(all))
		}
		out := draw.HeatMaps{Columns: len(modes), Note: fmt.Sprintf("step %d", now.Step)}
		for r, name := range runs {
			for _, mode := range modes {
				out.Maps = append(out.Maps, learnedMap(layout, name, mode, all[r], exact))
			}
		}
		for _, mode := range modes {
			if exact != nil {
				out.Maps = append(out.Maps, draw.HeatMap{Title: fmt.Sprintf("exact %d", mode), Layout: layout,
					Values: mat.Col(nil, mode-1, exact)})
			}
		}
		return out, nil
	}
}

func learnedMap(layout draw.Layout, name string, mode int, learned, exact *mat.Dense) draw.HeatMap {
	f := mat.Col(nil, mode-1, learned)
	title := fmt.Sprintf("%s %d", name, mode)
	if exact != nil {
		g := mat.Col(nil, mode-1, exact)
		cosine := floats.Dot(signed(f, g), g) / (floats.Norm(f, 2) * floats.Norm(g, 2))
		title = fmt.Sprintf("%s: %.2f", title, cosine)
	}
	return draw.HeatMap{Title: title, Layout: layout, Values: f}
}

// Rooms draws the functions of a walk in an environment for [Live]: a row for each run with a name, and the exact
// functions.
func Rooms(w *gridworld.World, walk learn.Graph, runs []string,
	modes ...int) func(now train.Snapshot) (draw.Drawing, error) {
	layout := rl.LayoutOf(w.Grid)
	exact := linalg.Columns(w.Truth.Vectors, 0, slices.Max(modes))
	return Maps(layout, ValuesAt(walk.Functions, walk.Features, len(runs)), exact, runs, modes...)
}
