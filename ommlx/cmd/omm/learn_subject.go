package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn"
)

// subject is what the files of a command line contain.
type subject struct {
	title  string
	file   string                                // the first one, for errors
	at     func(lag int) (learn.Operator, error) // the operator
	points *mat.Dense                            // the rows of functions.npy, possibly with NaN; nil: all states
	rows   string                                // what they are: "node", "row", "sample", "frame"
	axes   []string                              // names of the coordinates; may be nil
	nodes  []string                              // names of the nodes of a graph
}

// subject reads the files.
func (r *request) subject() (s subject, err error) {
	fixed := func(op learn.Operator) func(int) (learn.Operator, error) {
		return func(int) (learn.Operator, error) { return op, nil }
	}
	switch {
	case r.graph != "":
		g, names, err := files.ReadGraph(r.graph, r.columns)
		return subject{title: fmt.Sprintf("graph %s: %s, %s", r.graph, say.Count(g.Nodes, "node"),
			say.Count(len(g.Edges), "edge")), file: r.graph, at: fixed(g), rows: "node", nodes: names}, err
	case r.matrix != "":
		op, err := files.ReadMatrix(r.matrix)
		return subject{title: "matrix " + r.matrix, file: r.matrix, at: fixed(op), rows: "row"}, err
	case r.kernel != "":
		k, err := kernelOf(r.kernel)
		if err != nil {
			return s, usage{err}
		}
		t, err := r.table(r.samples, false)
		if err != nil {
			return s, err
		}
		n, d := t.Dims()
		return subject{title: fmt.Sprintf("kernel %s on %s: %s with %s", r.kernel, r.samples, say.Count(n, "sample"),
			say.Count(d, "coordinate")), file: r.samples, at: fixed(learn.Kernel{Samples: t.Dense, K: k}),
			points: t.Dense, rows: "sample", axes: t.Names}, nil
	case r.pairs != nil:
		from, err := r.table(r.pairs[0], false)
		if err != nil {
			return s, err
		}
		to, err := r.table(r.pairs[1], false)
		if err != nil {
			return s, err
		}
		n, d := from.Dims()
		return subject{title: fmt.Sprintf("%s in %s and %s with %s", say.Count(n, "pair"), r.pairs[0], r.pairs[1],
			say.Count(d, "coordinate")), file: r.pairs[0], at: fixed(learn.Pairs{From: from.Dense, To: to.Dense}),
			points: from.Dense, rows: "pair", axes: from.Names}, nil
	}
	return r.trajectories()
}

// table reads a table of finite numbers or, if they are allowed, with gaps.
func (r *request) table(path string, gaps bool) (files.Table, error) {
	t, err := files.ReadTable(path, r.columns)
	if err == nil {
		err = t.Finite(gaps)
	}
	return t, err
}

// trajectories reads trajectories and splits them at rows with a missing number.
func (r *request) trajectories() (s subject, err error) {
	var parts []mat.Matrix
	var first files.Table
	var all []float64
	frames, gaps := 0, 0
	for i, path := range r.trajectory {
		t, err := r.table(path, true)
		if err != nil {
			return s, err
		}
		if i == 0 {
			first = t
		}
		n, d := t.Dims()
		_, want := first.Dims()
		if d != want || t.Names != nil && first.Names != nil && !slices.Equal(t.Names, first.Names) {
			return s, fmt.Errorf("%s: %d columns %v, want %d columns %v as in %s; --columns selects columns", path, d,
				t.Names, want, first.Names, first.Path)
		}
		begin := 0
		for row := range n + 1 {
			if row < n {
				all = append(all, t.RawRowView(row)...)
			}
			if row < n && !floats.HasNaN(t.RawRowView(row)) {
				continue
			}
			if row > begin {
				parts = append(parts, t.Slice(begin, row, 0, d))
				frames += row - begin
			}
			if row < n {
				gaps++
			}
			begin = row + 1
		}
	}
	_, d := first.Dims()
	s = subject{file: r.trajectory[0], points: mat.NewDense(len(all)/d, d, all), rows: "frame", axes: first.Names,
		title: fmt.Sprintf("%s of %s in %s", say.Count(frames, "frame"), say.Count(d, "coordinate"),
			say.Count(len(r.trajectory), "file"))}
	if gaps > 0 {
		s.title += fmt.Sprintf(", split into %s at %s with a missing number", say.Count(len(parts), "part"),
			say.Count(gaps, "row"))
	}
	longest, skipped := 0, 0
	for _, p := range parts {
		n, _ := p.Dims()
		longest = max(longest, n)
		if n <= slices.Max(append(r.lags, r.lag)) {
			skipped++
		}
	}
	if skipped > 0 {
		s.title += fmt.Sprintf("; %d not longer than the lag, which are skipped", skipped)
	}
	s.at = func(lag int) (learn.Operator, error) {
		long := slices.DeleteFunc(slices.Clone(parts), func(x mat.Matrix) bool {
			n, _ := x.Dims()
			return n <= lag
		})
		if len(long) == 0 {
			return nil, fmt.Errorf("no trajectory is longer than the lag of %d frames; the longest has %d", lag,
				longest)
		}
		return learn.Trajectories(lag, long...)
	}
	return s, nil
}

// kernelOf returns the kernel with a name and a parameter, such as rbf:0.5.
func kernelOf(text string) (func(x, y *graph.Node) *graph.Node, error) {
	name, number, _ := strings.Cut(text, ":")
	h, err := strconv.ParseFloat(number, 64)
	square := func(x, y *graph.Node) *graph.Node { return graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1) }
	kernels := map[string]func(x, y *graph.Node) *graph.Node{
		"rbf": func(x, y *graph.Node) *graph.Node { return graph.Exp(graph.MulScalar(square(x, y), -0.5/(h*h))) },
		"laplace": func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.MulScalar(graph.Sqrt(square(x, y)), -1/h))
		},
		"poly": func(x, y *graph.Node) *graph.Node {
			return graph.PowScalar(graph.AddScalar(graph.ReduceSum(graph.Mul(x, y), -1), 1), h)
		},
	}
	k := kernels[name]
	if k == nil || err != nil || !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("--kernel is %q, want rbf:H, laplace:H or poly:D with a positive number", text)
	}
	return k, nil
}
