package graphs

import (
	"context"
	"io"
)

// Dataset is an undirected graph without self-loops or multiple edges. Its nodes have features, labels and a split.
type Dataset struct {
	Features int // d, the number of features of a node
	Classes  int // C

	Adjacency
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

// counts identify a graph: edges are lines of the text file, and training is the number of training nodes.
type counts struct{ nodes, edges, features, classes, training int }

// open reads the graph: [DebianName] from the program, and [ProductsName] from where [GetProducts] puts it. If it is
// not there, the error wraps [fs.ErrNotExist].
func (e Experiment) open() (*Dataset, error) {
	if e.Graph == DebianName {
		return readDebian(debianSnapshot)
	}
	archive, err := productsArchive.Find()
	if err != nil {
		return nil, err
	}
	return readProducts(context.Background(), archive, io.Discard)
}

// counts returns the counts of the graph.
func (e Experiment) counts() counts {
	if e.Graph == DebianName {
		return debian
	}
	return products
}
