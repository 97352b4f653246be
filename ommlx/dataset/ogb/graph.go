// Package ogb holds large graphs with features and labels of their nodes: it converts those of the Open Graph Benchmark
// (Hu et al. 2020) from their published text files, once, into flat arrays that are mapped into memory, and generates
// graphs in the same text files.
package ogb

import (
	"fmt"

	"github.com/gomlx/compute/dtypes/float16"

	"operator-omm/ommlx/sparse"
)

// Graph is an undirected graph without self-loops and multiple edges. Its arrays lie in mapped files: they may be read,
// never written, and not after [Graph.Close].
type Graph struct {
	Name      string // [ProductsName], [GeneratedName], or that of [Other]
	Dir       string // the folder that the arrays lie in
	Archive   string // SHA-256 of the archive that it was converted from; empty where there was none
	Features  int    // d, the number of features of a node
	Classes   int    // C
	SelfLoops int64  // edges from a node to itself that the text files have, and the graph has not
	Repeated  int64  // edges of the text files that were there already, in this direction or the other

	sparse.Adjacency
	X      []float32         // [N, d], the features; nil where they are stored as float16
	Half   []float16.Float16 // [N, d], the features; nil where they are stored as float32
	Labels []uint16          // [N], each below C
	Parts  []Part            // [N]

	sums  map[string]string // SHA-256 of the array files; nil where an earlier version wrote them
	close func() error
}

// Part says what a node is for.
type Part uint8

// The parts of a split. A node that the split does not list is in none.
const (
	None Part = iota
	Training
	Validation
	Test
)

// Of lists the nodes of a part, ascending.
func (g *Graph) Of(p Part) (nodes []int) {
	for i, of := range g.Parts {
		if of == p {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// FeaturesOf reads the features of node i into dst, [d], as float32, whether they are stored as that or as float16.
func (g *Graph) FeaturesOf(i int, dst []float32) {
	first, end := i*g.Features, (i+1)*g.Features
	if g.Half == nil {
		copy(dst, g.X[first:end])
		return
	}
	for j, x := range g.Half[first:end] {
		dst[j] = x.Float32()
	}
}

// String describes the graph in a line: "5 nodes, 4 edges, 2 features (float32), 3 classes".
func (g *Graph) String() string {
	stored := "float32"
	if g.Half != nil {
		stored = "float16"
	}
	return fmt.Sprintf("%d nodes, %d edges, %d features (%s), %d classes", g.Nodes(), g.Edges(), g.Features, stored,
		g.Classes)
}

// Close gives the files back.
func (g *Graph) Close() error { return g.close() }
