package files

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"omm-go/ommlx/learn"
)

// headers lists the names of the columns of an edge list: the ends of an edge and its weight.
var headers = [3][]string{{"source", "src", "from"}, {"target", "dst", "to"}, {"weight", "w"}}

// ReadGraph reads an undirected graph: an edge list, which is a text table, or its adjacency matrix in the Matrix
// Market format. names are the nodes of an edge list: ascending if all are integers, else in the order of the file.
//
// The columns of an edge list are the ends of an edge and, optionally, its weight: those selected as in [ReadTable],
// those with the names source, target and weight, or the first two and a third. The first row is a header if it has
// such names, or if it has a word in a column of numbers.
func ReadGraph(path string, columns []string) (g learn.Graph, names []string, err error) {
	content, err := read(path)
	if err != nil {
		return g, nil, err
	}
	if isMatrixMarket(content) {
		if columns != nil {
			return g, nil, fmt.Errorf("%s: an adjacency matrix has no columns to select", path)
		}
		g, err = adjacency(path, content)
		return g, nil, err
	}
	header, all, err := readText(path, content, hasHeader)
	if err != nil {
		return g, nil, err
	}
	t := Table{path: path, Names: header}
	take, err := t.ends(columns, len(all[0].fields))
	if err != nil {
		return g, nil, err
	}
	numbers, whole := map[string]int{}, map[string]int{}
	for _, r := range all {
		for _, j := range take[:2] {
			name := r.fields[j]
			if _, known := numbers[name]; !known {
				numbers[name] = len(names)
				names = append(names, name)
			}
			if n, err := strconv.Atoi(name); err == nil {
				whole[name] = n
			} else if name == "" {
				return g, nil, fmt.Errorf("%s:%d: %s is empty, want a node", path, r.line, t.column(j))
			}
		}
		if len(take) > 2 {
			w, err := parse(r.fields[take[2]])
			if err != nil || !(w > 0) || math.IsInf(w, 0) {
				return g, nil, fmt.Errorf("%s:%d: the weight is %q, want a positive number", path, r.line,
					r.fields[take[2]])
			}
			g.Weights = append(g.Weights, w)
		}
	}
	if g.Nodes = len(names); len(whole) == len(names) {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(whole[a], whole[b]) })
		for s, name := range names {
			numbers[name] = s
		}
	}
	for _, r := range all {
		g.Edges = append(g.Edges, [2]int{numbers[r.fields[take[0]]], numbers[r.fields[take[1]]]})
	}
	return g, names, nil
}

// ends returns the columns of the two ends and, if there is one, of the weight.
func (t Table) ends(columns []string, width int) (take []int, err error) {
	for i, known := range headers {
		j := slices.IndexFunc(t.Names, func(name string) bool { return slices.Contains(known, strings.ToLower(name)) })
		if columns == nil && j >= 0 && len(take) >= min(i, 2) {
			take = append(take, j)
		}
	}
	if len(take) < 2 {
		take, err = t.choose(columns, width)
	}
	if err == nil && len(take) != 2 && len(take) != 3 {
		err = fmt.Errorf("%s: %d columns, want source, target and optionally weight; --columns selects columns", t.path,
			len(take))
	}
	return take, err
}

func hasHeader(all []row) bool {
	for j, name := range all[0].fields {
		words := func(r row) bool { return j >= len(r.fields) || isWord(r.fields[j]) }
		if name == "" || slices.Contains(headers[0], strings.ToLower(name)) ||
			isWord(name) && len(all) > 1 && !slices.ContainsFunc(all[1:], words) {
			return true
		}
	}
	return false
}

// adjacency reads a graph from its adjacency matrix.
func adjacency(path string, content []byte) (g learn.Graph, err error) {
	m, err := parseEntries(path, content)
	if err != nil {
		return g, err
	}
	weights := make(map[[2]int]float64, len(m.Values))
	for e, v := range m.Values {
		weights[[2]int{m.Rows[e], m.Columns[e]}] += v
	}
	for e, v := range m.Values {
		i, j := m.Rows[e], m.Columns[e]
		if there, back := weights[[2]int{i, j}], weights[[2]int{j, i}]; !m.symmetric && there != back {
			return g, fmt.Errorf("%s:%d: the graph is directed: entry (%d, %d) is %g, but entry (%d, %d) is %g; save "+
				"A + A.T to ignore directions", path, m.lines[e], i+1, j+1, there, j+1, i+1, back)
		}
		if v < 0 {
			return g, fmt.Errorf("%s:%d: the weight is %g, want a positive number", path, m.lines[e], v)
		}
		if i >= j && v > 0 { // the upper triangle is the same
			g.Edges, g.Weights = append(g.Edges, [2]int{i, j}), append(g.Weights, v)
		}
	}
	g.Nodes = m.N
	return g, nil
}
