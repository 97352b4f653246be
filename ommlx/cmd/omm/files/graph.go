package files

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn"
)

// Graph is a graph and what its file was taken for.
type Graph struct {
	learn.Graph
	// Names are the nodes of an edge list, ascending if all are integers, else in the order of the file, or the columns
	// of an adjacency matrix with a header. Otherwise they are nil.
	Names []string
	Taken string   // what the columns were taken for, such as "weights: column 2"
	Notes []string // sentences about lines that may mean something else
}

// ReadGraph reads an undirected graph: an edge list or an adjacency matrix. An edge list is a text table or an array,
// n×2, n×3 or 2×n. An adjacency matrix is a square table or array with at least four rows, a matrix of
// scipy.sparse.save_npz, or a file in the Matrix Market format.
//
// The columns of an edge list are the ends of an edge and, optionally, its weight: those selected as in [ReadTable],
// those with the names source, target and weight, or the first two and a third. The first row is a header if it has
// such names, or if it has a word in a column of numbers. A node 7.0 is the node 7 if all nodes are integers. From the
// attributes that NetworkX writes in braces, the weight is taken.
func ReadGraph(path string, columns []string) (g Graph, err error) {
	f, err := open(path)
	if err != nil {
		return g, err
	}
	if f.entries != nil && columns != nil {
		return g, fmt.Errorf("%s: an adjacency matrix has no columns to select", path)
	}
	if f.entries != nil {
		return adjacency(path, f.entries)
	}
	h, all := header{path: path}, [][]string(nil)
	if f.array != nil {
		if n, d := f.array.Dims(); n == d && n >= leastSquare && columns == nil {
			return adjacency(path, Table{h, f.array}.entries())
		}
		if all, err = edgesOf(path, f.array); err != nil {
			return g, err
		}
	} else if h, all, err = readText(path, g.plain(f.text), hasHeader); err != nil {
		if strings.Contains(err.Error(), ": the row has ") {
			err = fmt.Errorf("%w; if it is an adjacency list, %s", err, convert(path, "networkx.read_adjlist(%q)"))
		}
		return g, err
	}
	square, _ := h.choose(nil, len(all[0]))
	take, err := h.ends(columns, len(all[0]))
	if err != nil && columns == nil && len(square) == len(all) && len(all) >= leastSquare {
		t, err := h.numbers(all, square)
		if err == nil {
			err = t.Finite(false)
		}
		if err != nil {
			return g, err
		}
		g, err = adjacency(path, t.entries())
		g.Names = t.Names
		return g, err
	}
	if err == nil {
		err = g.addEdges(h, all, take)
	}
	return g, err
}

// leastSquare is the number of rows of an adjacency matrix that is no edge list.
const leastSquare = 4

// edgesOf returns the rows of an array of edges, n×2 or n×3, or 2×n as in PyTorch Geometric.
func edgesOf(path string, a *mat.Dense) (all [][]string, err error) {
	m := mat.Matrix(a)
	if n, d := a.Dims(); n == 2 && d > 3 {
		m = a.T()
	}
	n, d := m.Dims()
	for i := range n {
		all = append(all, nil)
		for j := range d {
			if math.Abs(m.At(i, j)) > 1<<53 {
				return nil, fmt.Errorf("%s: row %d: node %.0f is not exact as a float: save text in Python, "+
					"numpy.savetxt(%q, edges, fmt=\"%%d\")", path, i, m.At(i, j), renamed(path, ".txt"))
			}
			all[i] = append(all[i], strconv.FormatFloat(m.At(i, j), 'f', -1, 64))
		}
	}
	return all, nil
}

// What NetworkX writes after an edge.
var (
	attributes = regexp.MustCompile(`(?m)\{(.*)\}[ \t\r]*$`)
	attribute  = regexp.MustCompile(`['"]weight['"]: *(?:np\.\w+\()?([^,() ]+)`)
)

// plain replaces the attributes of edges by their weights.
func (g *Graph) plain(text []byte) []byte {
	return attributes.ReplaceAllFunc(text, func(braces []byte) []byte {
		content := attributes.FindSubmatch(braces)[1]
		weight := attribute.FindSubmatch(content)
		if weight != nil {
			return weight[1]
		}
		if len(content) > 0 && g.Notes == nil {
			g.Notes = []string{"the attributes in braces have no 'weight' and are not used"}
		}
		return nil
	})
}

// entries returns the entries of a square table that are not 0.
func (t Table) entries() *entries {
	n, _ := t.Dims()
	m := &entries{Sparse: linalg.Sparse{N: n}}
	for i := range n {
		for j, v := range t.RawRowView(i) {
			if v == 0 {
				continue
			}
			m.Add(i, j, v)
			if t.lines != nil {
				m.lines = append(m.lines, t.lines[i])
			}
		}
	}
	return m
}

// adjacency makes a graph of its adjacency matrix.
func adjacency(path string, m *entries) (g Graph, err error) {
	g.Nodes, g.Taken = m.N, "an adjacency matrix"
	weights := make(map[[2]int]float64, len(m.Values))
	for e, v := range m.Values {
		weights[[2]int{m.Rows[e], m.Columns[e]}] += v
	}
	const rounding = 1e-6
	for e, v := range m.Values {
		i, j, where := m.Rows[e], m.Columns[e], path
		if m.lines != nil {
			where = fmt.Sprintf("%s:%d", path, m.lines[e])
		}
		there, back := weights[[2]int{i, j}], weights[[2]int{j, i}]
		if !scalar.EqualWithinRel(there, back, rounding) {
			return g, fmt.Errorf("%s: the graph is directed: entry (%d, %d) is %g, but entry (%d, %d) is %g; save "+
				"A + A.T to ignore directions", where, i+m.first, j+m.first, there, j+m.first, i+m.first, back)
		}
		if !(v >= 0) {
			return g, fmt.Errorf("%s: the weight is %g, want a positive number", where, v)
		}
		if i >= j && v > 0 { // the upper triangle is the same
			g.Edges, g.Weights = append(g.Edges, [2]int{i, j}), append(g.Weights, v)
		}
	}
	return g, nil
}
