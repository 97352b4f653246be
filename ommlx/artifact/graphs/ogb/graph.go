// Package ogb has large graphs with features and labels of their nodes: graphs of the Open Graph Benchmark (Hu et al.
// 2020) such as ogbn-products, converted once from their text files, and generated graphs.
package ogb

import (
	"fmt"

	"omm-go/ommlx/sparse"
)

// Graph is an undirected graph without self-loops or multiple edges.
type Graph struct {
	Name      string // [ProductsName], [GeneratedName], or the name of a [Text]
	Features  int    // d, the number of features of a node
	Classes   int    // C
	SelfLoops int64  // number of self-loops in the source, which are left out
	Repeated  int64  // number of edges in the source that repeat an earlier one in either direction, left out too

	sparse.Adjacency
	X      []float32 // [N, d], the features
	Labels []uint16  // [N], each below C
	Parts  []Part    // [N]
}

// Part is a part of a split.
type Part uint8

// The parts of a split. Nodes that the split does not list are in None.
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

// String returns a summary such as "5 nodes, 4 edges, 2 features, 3 classes".
func (g *Graph) String() string {
	return fmt.Sprintf("%d nodes, %d edges, %d features, %d classes", g.Nodes(), g.Edges(), g.Features, g.Classes)
}

// join sets the edges, given as u, v, u, v, ….
func (g *Graph) join(nodes int, ends []uint32) {
	b := sparse.NewBuilder(nodes)
	b.Add(ends)
	g.SelfLoops = b.Loops
	g.Adjacency, g.Repeated = b.Build()
}

// counts identify a graph. edges counts the lines of the text file.
type counts struct{ nodes, edges, features, classes int }

func (g *Graph) counts() counts {
	return counts{g.Nodes(), g.Edges() + int(g.SelfLoops+g.Repeated), g.Features, g.Classes}
}
