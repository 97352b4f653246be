// Package ogb holds large graphs with features and labels of their nodes: it converts those of the Open Graph Benchmark
// (Hu et al. 2020) from their published text files, once, into flat arrays that are mapped into memory, and generates
// others.
package ogb

import (
	"errors"
	"fmt"
	"syscall"

	"omm-go/ommlx/sparse"
)

// Graph is an undirected graph without self-loops and multiple edges. Its arrays lie in mapped files: they may be read,
// never written, and not after [Graph.Close].
type Graph struct {
	Name      string // [ProductsName], [GeneratedName], or that of [Text]
	Dir       string // the folder that the arrays lie in
	Archive   string // SHA-256 of the archive that it was converted from; empty where there was none
	Features  int    // d, the number of features of a node
	Classes   int    // C
	SelfLoops int64  // edges from a node to itself that the text files have, and the graph has not
	Repeated  int64  // edges of the text files that were there already, in this direction or the other

	sparse.Adjacency
	X      []float32 // [N, d], the features
	Labels []uint16  // [N], each below C
	Parts  []Part    // [N]

	sums   map[string]string // SHA-256 of the array files
	mapped [][]byte          // those files
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

// FeaturesOf copies the features of node i to dst, [d].
func (g *Graph) FeaturesOf(i int, dst []float32) { copy(dst, g.X[i*g.Features:(i+1)*g.Features]) }

// String describes the graph in a line: "5 nodes, 4 edges, 2 features, 3 classes".
func (g *Graph) String() string {
	return fmt.Sprintf("%d nodes, %d edges, %d features, %d classes", g.Nodes(), g.Edges(), g.Features, g.Classes)
}

// Close gives the files back.
func (g *Graph) Close() (err error) {
	for _, content := range g.mapped {
		if len(content) > 0 {
			err = errors.Join(err, syscall.Munmap(content))
		}
	}
	*g = Graph{}
	return err
}

// counts are the numbers of a graph.
type counts struct {
	nodes, features, classes int
	edges                    int64 // lines in the text file: also self-loops, and an edge as often as it is there
}

func (g *Graph) counts() counts {
	return counts{g.Nodes(), g.Features, g.Classes, int64(g.Edges()) + g.SelfLoops + g.Repeated}
}

// String writes them for people.
func (c counts) String() string {
	return fmt.Sprintf("%d nodes, %d edges, %d features and %d classes", c.nodes, c.edges, c.features, c.classes)
}

// bytes is how many the arrays of a graph with these counts take.
func (c counts) bytes() int64 {
	nodes := int64(c.nodes)
	return 8*(nodes+1) + 8*c.edges + 2*nodes + nodes + 4*nodes*int64(c.features)
}
