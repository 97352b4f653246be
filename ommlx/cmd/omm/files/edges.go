package files

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"omm-go/ommlx/internal/say"
)

// headers lists the names of the columns of an edge list: the ends of an edge and its weight.
var headers = [3][]string{{"source", "src", "from", "node1"}, {"target", "dst", "to", "node2"},
	{"weight", "w", "weights", "value"}}

// find returns the column with one of some names, in any case, or −1.
func find(names, known []string) int {
	for _, name := range known {
		if j := slices.IndexFunc(names, func(other string) bool { return strings.EqualFold(name, other) }); j >= 0 {
			return j
		}
	}
	return -1
}

// hasHeader reports whether the first row of a graph has the names of columns.
func hasHeader(all [][]string) bool {
	names := all[0]
	if find(names, headers[0]) >= 0 && find(names, headers[1]) >= 0 {
		return true
	}
	if rest := names[1:]; names[0] == "" && len(rest) > 1 { // of pandas, for an index, unless a node is missing
		isNumber := func(name string) bool { return !isWord(name) }
		return !slices.ContainsFunc(rest, isNumber) || slices.Equal(rest, numbers(len(rest))) ||
			len(rest) >= leastSquare && !slices.Contains(rest, "")
	}
	for j, name := range names {
		isText := func(fields []string) bool { return j >= len(fields) || isWord(fields[j]) }
		if isWord(name) && len(all) > 1 && !slices.ContainsFunc(all[1:], isText) {
			return true
		}
	}
	return false
}

// ends returns the columns of the two ends and, if there is one, of the weight.
func (h header) ends(columns []string, width int) (take []int, err error) {
	for i, known := range headers {
		if j := find(h.Names, known); columns == nil && j >= 0 && len(take) >= min(i, 2) {
			take = append(take, j)
		}
	}
	if len(take) < 2 {
		take, err = h.choose(columns, width)
	}
	if err == nil && len(take) != 2 && len(take) != 3 {
		err = fmt.Errorf("%s: %s, want source, target and optionally weight; --columns selects columns", h.path,
			say.Count(len(take), "column"))
	}
	return take, err
}

// integer returns the integer in a field, such as 7 for "7.0" and "7e+00", which pandas and NumPy write, or "".
func integer(field string) string {
	if _, err := strconv.ParseInt(field, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return field
	}
	if v, err := strconv.ParseFloat(field, 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v+0, 'f', 0, 64)
	}
	return ""
}

// addEdges adds the rows of an edge list.
func (g *Graph) addEdges(h header, all [][]string, take []int) error {
	integers := true
	for i, fields := range all {
		for _, j := range take[:2] {
			if fields[j] == "" {
				return fmt.Errorf("%s: %s is empty, want a node", h.where(i), h.column(j))
			}
			integers = integers && (integer(fields[j]) != "" || slices.Contains(missing, strings.ToLower(fields[j])))
		}
	}
	numbers, ascending := map[string]int{}, map[string]int{}
	for i, fields := range all {
		for _, j := range take[:2] {
			if integers {
				if fields[j] = integer(fields[j]); fields[j] == "" {
					return fmt.Errorf("%s: %s is missing, want a node", h.where(i), h.column(j))
				}
			}
			name := fields[j]
			if _, known := numbers[name]; !known {
				numbers[name] = len(g.Names)
				g.Names = append(g.Names, name)
			}
			if n, err := strconv.Atoi(name); err == nil {
				ascending[name] = n
			}
		}
		if len(take) > 2 {
			w, err := parse(fields[take[2]])
			if err != nil || !(w > 0) || math.IsInf(w, 0) {
				return fmt.Errorf("%s: the weight is %q, want a positive number", h.where(i), fields[take[2]])
			}
			g.Weights = append(g.Weights, w)
		}
	}
	if g.Nodes = len(g.Names); len(ascending) == g.Nodes {
		slices.SortStableFunc(g.Names, func(a, b string) int { return cmp.Compare(ascending[a], ascending[b]) })
		for s, name := range g.Names {
			numbers[name] = s
		}
	}
	for _, fields := range all {
		g.Edges = append(g.Edges, [2]int{numbers[fields[take[0]]], numbers[fields[take[1]]]})
	}
	g.describe(h, all, take)
	return nil
}

// describe sets Taken and adds Notes.
func (g *Graph) describe(h header, all [][]string, take []int) {
	g.Taken = "no weights"
	if len(take) > 2 {
		g.Taken = "weights: " + h.column(take[2])
	}
	var others []string
	for j, name := range h.Names {
		if name != "" && !slices.Contains(take, j) {
			others = append(others, name)
		}
	}
	if others != nil {
		g.Taken += "; not used: " + strings.Join(others, ", ")
	}
	first, second := all[0][take[0]], all[0][take[1]]
	occurs := func(fields []string) bool {
		return slices.ContainsFunc(take[:2], func(j int) bool { return fields[j] == first || fields[j] == second })
	}
	if h.lines != nil && (h.Names == nil || h.comments) && isWord(first) && isWord(second) &&
		!slices.ContainsFunc(all[1:], occurs) {
		g.Notes = append(g.Notes, fmt.Sprintf("the first line, %q and %q, is taken as an edge; if it is a header, "+
			"name the columns source and target", first, second))
	}
	seen := map[[2]int]bool{}
	for _, edge := range g.Edges {
		seen[edge] = true
	}
	if repeated := len(g.Edges) - len(seen); repeated > 0 {
		g.Notes = append(g.Notes, say.Count(repeated, "repeated edge")+", whose weights are added")
	}
}
