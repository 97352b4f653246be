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
	"omm-go/ommlx/net"
)

// subject is what the files of a command line contain.
type subject struct {
	file, title string
	notes       []string // more lines about the files
	op          learn.Operator
	points      *mat.Dense    // one per row of functions.npy, possibly with NaN; nil: all states
	rows        string        // their name: "node", "row", "sample", "pair", "frame" or "state"
	axes        []string      // the names of the coordinates; may be nil
	names       []string      // of a graph's nodes or of states; may be nil
	frames      []mat.Matrix  // trajectories, instead of op; a row with NaN is a gap
	parts       []string      // the names of the trajectories
	states      net.Functions // of frames that number states
}

// at returns the operator, of trajectories at a lag.
func (s subject) at(lag int) (learn.Operator, error) {
	if s.op != nil {
		return s.op, nil
	}
	pairs, err := learn.Trajectories(lag, s.frames...)
	if err != nil {
		return nil, reworded{err, s}
	}
	if s.states == nil {
		return pairs, nil
	}
	pairs.Functions = s.states
	occurs := map[float64]bool{}
	for _, state := range slices.Concat(mat.Col(nil, 0, pairs.From), mat.Col(nil, 0, pairs.To)) {
		occurs[state] = true
	}
	for state, label := range s.names { // one that does not occur would keep its initial values
		if !occurs[float64(state)] {
			return nil, fmt.Errorf("%s: state %s is in no pair of frames with a lag of %d: leave it out or lower the "+
				"lag", s.file, label, lag)
		}
	}
	return pairs, nil
}

// subject reads the files.
func (r *request) subject() (s subject, err error) {
	switch r.kind {
	case "graph":
		g, err := files.ReadGraph(r.graph, r.columns)
		s = subject{file: r.graph, op: g.Graph, rows: "node", names: g.Names, notes: g.Notes}
		s.title = fmt.Sprintf("%s: %s, %s; %s", r.graph, say.Count(g.Nodes, "node"), say.Count(len(g.Edges), "edge"),
			g.Taken)
		s.compareSolver(len(g.Edges))
		return s, err
	case "neighbours":
		s, err := r.table(r.samples, "node")
		s.title += fmt.Sprintf("; each joined to %s", say.Count(r.neighbours, "neighbour"))
		s.op, s.points = learn.Graph{Points: s.points, Neighbours: r.neighbours}, nil
		return s, err
	case "matrix":
		s = subject{file: r.matrix, rows: "row"}
		s.op, err = files.ReadMatrix(r.matrix)
		switch m := s.op.(type) {
		case learn.Matrix:
			n, _ := m.A.Dims()
			s.title = fmt.Sprintf("%s: a matrix of %s", r.matrix, say.Count(n, "row"))
			s.compareSolver(n * n / 20) // which take as long
		case learn.Sparse:
			s.title = fmt.Sprintf("%s: a sparse matrix of %s with %s", r.matrix, say.Count(m.N, "row"),
				say.Count(len(m.Values), "nonzero"))
			s.compareSolver(len(m.Values))
		}
		return s, err
	case "kernel":
		k, err := kernelOf(r.kernel)
		if err != nil {
			return s, usage{err}
		}
		s, err := r.table(r.samples, "sample")
		s.op = learn.Kernel{Samples: s.points, K: k}
		return s, err
	case "pairs":
		to, err := r.table(r.pairs[1], "pair")
		if err != nil {
			return s, err
		}
		if s, err = r.table(r.pairs[0], "pair"); err == nil {
			s.op, err = learn.Pairs{From: s.points, To: to.points}, s.upright()
		}
		return s, err
	}
	return r.trajectories()
}

// compareSolver adds a note on a matrix whose training takes ten seconds or more.
func (s *subject) compareSolver(entries int) {
	const many = 50_000
	if entries >= many {
		s.notes = append(s.notes, "a solver for matrices, such as scipy.sparse.linalg.eigsh, is faster and exact")
	}
}

// table reads points. Their title lists the columns.
func (r *request) table(path, rows string) (s subject, err error) {
	t, err := files.ReadTable(path, r.columns, r.group)
	if err != nil {
		return s, err
	}
	if err := t.Finite(rows == "frame"); err != nil {
		return s, err
	}
	s = subject{file: path, points: t.Dense, rows: rows, axes: t.Names, frames: []mat.Matrix{t.Dense},
		parts: []string{path}}
	if r.group != "" {
		err = s.split(r.group)
	}
	s.describe(path)
	return s, err
}

// describe sets the title of points from some files.
func (s *subject) describe(files ...string) {
	n, d := s.points.Dims()
	s.title = fmt.Sprintf("%s: %s of %s", list(files), say.Count(n, s.rows), say.Count(d, "coordinate"))
	if s.axes != nil {
		s.title += ": " + list(s.axes)
	}
	if len(s.parts) > 1 {
		s.title += fmt.Sprintf("; %d trajectories", len(s.parts))
	}
}

// list joins at most eight names.
func list(names []string) string {
	if len(names) > 8 {
		names = append(slices.Clone(names[:8]), "…")
	}
	return strings.Join(names, ", ")
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
	if k == nil || err != nil || !(h > 0) || math.IsInf(h, 0) || name == "poly" && h != math.Trunc(h) {
		return nil, fmt.Errorf("--kernel is %q, want rbf, rbf:H, laplace:H or poly:D with a positive H and a whole D",
			text)
	}
	return k, nil
}
