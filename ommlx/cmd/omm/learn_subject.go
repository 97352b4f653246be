package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn"
)

// subject is what the files of a command line contain.
type subject struct {
	file, title string
	op          learn.Operator
	points      *mat.Dense   // one per row of functions.npy, possibly with NaN; nil: all states
	rows        string       // their name: "node", "row", "sample", "pair" or "frame"
	axes        []string     // the names of the coordinates; may be nil
	nodes       []string     // the names of a graph's nodes; may be nil
	frames      []mat.Matrix // trajectories, instead of op; a row with NaN is a gap
}

// at returns the operator, of trajectories at a lag.
func (s subject) at(lag int) (learn.Operator, error) {
	if s.op != nil {
		return s.op, nil
	}
	pairs, err := learn.Trajectories(lag, s.frames...)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.file, err)
	}
	return pairs, err
}

// subject reads the files.
func (r *request) subject() (s subject, err error) {
	switch {
	case r.graph != "":
		g, names, err := files.ReadGraph(r.graph, r.columns)
		size := say.Count(g.Nodes, "node") + ", " + say.Count(len(g.Edges), "edge")
		return subject{file: r.graph, title: r.graph + ": " + size, op: g, rows: "node", nodes: names}, err
	case r.neighbours > 0:
		s, err := r.table(r.samples, "node")
		s.title += fmt.Sprintf(", joined to %d neighbours", r.neighbours)
		s.op, s.points = learn.Graph{Points: s.points, Neighbours: r.neighbours}, nil
		return s, err
	case r.matrix != "":
		op, err := files.ReadMatrix(r.matrix)
		return subject{file: r.matrix, title: r.matrix, op: op, rows: "row"}, err
	case r.kernel != "":
		k, err := kernelOf(r.kernel)
		if err != nil {
			return s, usage{err}
		}
		s, err := r.table(r.samples, "sample")
		s.op = learn.Kernel{Samples: s.points, K: k}
		return s, err
	case r.pairs != nil:
		to, err := r.table(r.pairs[1], "pair")
		if err != nil {
			return s, err
		}
		s, err := r.table(r.pairs[0], "pair")
		s.op = learn.Pairs{From: s.points, To: to.points}
		return s, err
	}
	return r.trajectories()
}

// table reads points.
func (r *request) table(path, rows string) (s subject, err error) {
	t, err := files.ReadTable(path, r.columns)
	if err != nil {
		return s, err
	}
	n, d := t.Dims()
	title := fmt.Sprintf("%s: %s of %s", path, say.Count(n, rows), say.Count(d, "coordinate"))
	return subject{file: path, title: title, points: t.Dense, rows: rows, axes: t.Names}, t.Finite(rows == "frame")
}

// trajectories reads one trajectory from each file.
func (r *request) trajectories() (all subject, err error) {
	var titles []string
	var frames []float64
	for i, path := range r.trajectory {
		s, err := r.table(path, "frame")
		if err != nil {
			return s, err
		}
		if i == 0 {
			all = s
		}
		_, d := s.points.Dims()
		if all.axes == nil {
			all.axes = s.axes // the first file may have no header
		}
		if _, want := all.points.Dims(); d != want || s.axes != nil && !slices.Equal(s.axes, all.axes) {
			return s, fmt.Errorf("%s: the %d columns %q differ from %d columns %q in %s; --columns selects columns",
				path, d, s.axes, want, all.axes, all.file)
		}
		titles, frames = append(titles, s.title), append(frames, s.points.RawMatrix().Data...)
		all.frames = append(all.frames, s.points)
	}
	_, d := all.points.Dims()
	all.points, all.title = mat.NewDense(len(frames)/d, d, frames), strings.Join(titles, "; ")
	return all, nil
}

// kernelOf returns the kernel with a name and a parameter, such as rbf:0.5, or nil for rbf.
func kernelOf(text string) (func(x, y *graph.Node) *graph.Node, error) {
	name, number, given := strings.Cut(text, ":")
	if name == "rbf" && !given {
		return nil, nil // learn.Kernel then takes the width from the samples
	}
	h, err := strconv.ParseFloat(number, 64)
	sum := func(x *graph.Node) *graph.Node { return graph.ReduceSum(x, -1) }
	k := map[string]func(x, y *graph.Node) *graph.Node{
		"rbf": func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.MulScalar(sum(graph.Square(graph.Sub(x, y))), -0.5/(h*h)))
		},
		"laplace": func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.MulScalar(graph.Sqrt(sum(graph.Square(graph.Sub(x, y)))), -1/h))
		},
		"poly": func(x, y *graph.Node) *graph.Node {
			return graph.PowScalar(graph.AddScalar(sum(graph.Mul(x, y)), 1), h)
		},
	}[name]
	if k == nil || err != nil || !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("--kernel is %q, want rbf, rbf:H, laplace:H or poly:D with a positive number", text)
	}
	return k, nil
}
