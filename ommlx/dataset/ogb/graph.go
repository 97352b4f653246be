// Package ogb holds large graphs with features and labels of their nodes: it converts those of the Open Graph Benchmark
// (Hu et al. 2020) from their published text files, once, into flat arrays that are mapped into memory, and generates
// graphs in the same text files.
package ogb

// Graph is an undirected graph without self-loops and multiple edges. Its arrays lie in mapped files: they may be read,
// never written, and not after [Graph.Close].
type Graph struct {
	Name      string // ogbn-products, or generated
	Nodes     int    // N
	Features  int    // d, the number of features of a node
	Classes   int    // C
	SelfLoops int64  // edges from a node to itself that the text files have, and the graph has not
	Repeated  int64  // edges of the text files that were there already, in this direction or the other

	// Offsets [N+1] and Neighbours [2E] list the neighbours of node i, ascending, as
	// Neighbours[Offsets[i]:Offsets[i+1]]: the graph's symmetric adjacency matrix in compressed rows, all entries 1.
	Offsets    []uint64
	Neighbours []uint32
	X          []float32 // [N, d]
	Labels     []uint16  // [N], each below C
	Parts      []Part    // [N]

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

// Edges is E, the number of undirected edges.
func (g *Graph) Edges() int { return len(g.Neighbours) / 2 }

// Degree is the number of neighbours of node i, 0 for one without.
func (g *Graph) Degree(i int) int { return int(g.Offsets[i+1] - g.Offsets[i]) }

// Row lists the neighbours of node i, ascending. It is a part of Neighbours.
func (g *Graph) Row(i int) []uint32 { return g.Neighbours[g.Offsets[i]:g.Offsets[i+1]] }

// Of lists the nodes of a part, ascending.
func (g *Graph) Of(p Part) (nodes []int) {
	for i, of := range g.Parts {
		if of == p {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// Close gives the files back.
func (g *Graph) Close() error { return g.close() }
