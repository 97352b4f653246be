package graphs

import (
	"fmt"

	"omm-go/ommlx/sparse"
)

// Dataset is an undirected graph without self-loops or multiple edges. Its nodes have features, labels and a split.
type Dataset struct {
	Name     string // [ProductsName], [GeneratedName], or the name of another converted graph
	Features int    // d, the number of features of a node
	Classes  int    // C

	sparse.Adjacency
	X      []float32 // [N, d], the features
	Labels []int     // [N], each below C
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
func (d *Dataset) Of(p Part) (nodes []int) {
	for i, of := range d.Parts {
		if of == p {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// FeaturesOf copies the features of node i to dst, [d].
func (d *Dataset) FeaturesOf(i int, dst []float32) { copy(dst, d.X[i*d.Features:(i+1)*d.Features]) }

// String returns a summary such as "5 nodes, 4 edges, 2 features, 3 classes".
func (d *Dataset) String() string {
	return fmt.Sprintf("%d nodes, %d edges, %d features, %d classes", d.Nodes(), d.Edges(), d.Features, d.Classes)
}

// join sets the edges, given as u, v, u, v, …. It leaves out self-loops and repeated edges.
func (d *Dataset) join(nodes int, ends []uint32) {
	b := sparse.NewBuilder(nodes)
	b.Add(ends)
	d.Adjacency, _ = b.Build()
}
