package ogb

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"operator-omm/ommlx/dataset"
)

// ProductsName is the name of the graph of ogbn-products in results and tables, and of its data folder, see
// [dataset.Dir].
const ProductsName = "ogbn-products"

// arraysFolder holds the converted arrays, in the data folder of their graph.
const arraysFolder = "arrays"

// counts are the numbers of a graph.
type counts struct {
	nodes, features, classes int
	edges                    int64 // lines in the text file: also self-loops, and an edge as often as it is there
}

// publishedProducts are the counts of ogbn-products: 61,859,140 edges of 2,449,029 products, each with 100 features and
// one of 47 classes, as the paper and the Open Graph Benchmark state them.
var publishedProducts = counts{nodes: 2_449_029, features: 100, classes: 47, edges: 61_859_140}

// counts of a graph, as its text files had them.
func (g *Graph) counts() counts {
	return counts{g.Nodes(), g.Features, g.Classes, int64(g.Edges()) + g.SelfLoops + g.Repeated}
}

// check returns an error that names the number which is not the expected one.
func (c counts) check(got counts) error {
	for _, n := range []struct {
		what      string
		got, want int64
	}{
		{"nodes", int64(got.nodes), int64(c.nodes)}, {"edges", got.edges, c.edges},
		{"features", int64(got.features), int64(c.features)}, {"classes", int64(got.classes), int64(c.classes)},
	} {
		if n.got != n.want {
			return &wrongCount{n.what, n.got, n.want}
		}
	}
	return nil
}

// wrongCount is the error of a graph that is not the expected one.
type wrongCount struct {
	what      string
	got, want int64
}

// Error implements [error].
func (e *wrongCount) Error() string {
	return fmt.Sprintf("it has %d %s, expected %d", e.got, e.what, e.want)
}

// OpenProducts opens the converted arrays of ogbn-products, looked for along [dataset.SearchPath]; the caller closes
// the graph. A graph with other numbers of nodes, edges, features or classes than published is an error.
//
// Where no folder has the arrays, the error wraps [io/fs.ErrNotExist] and names the commands that make them; other
// errors say what is wrong with them.
func OpenProducts() (*Graph, error) { return openProducts(publishedProducts) }

func openProducts(want counts) (*Graph, error) {
	g, _, err := findProducts(want)
	return g, err
}

// findProducts also returns where the arrays were found, or where `omm data get` would put them.
func findProducts(want counts) (g *Graph, dir string, err error) {
	dirs, err := dataset.SearchPath(ProductsName)
	if err != nil {
		return nil, "", err
	}
	for i, dir := range dirs {
		dirs[i] = filepath.Join(dir, arraysFolder)
		g, err := Open(dirs[i])
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, dirs[i], err
		}
		if err := want.check(g.counts()); err != nil {
			return nil, dirs[i], errors.Join(fmt.Errorf("the graph in %s is not %s: %w; delete the folder and run "+
				"`omm data get %s`", dirs[i], ProductsName, err, ProductsName), g.Close())
		}
		return g, dirs[i], nil
	}
	return nil, dirs[0], fmt.Errorf("the arrays of %s are in none of %q (%w); `omm data get %s` downloads and "+
		"converts it, `omm data convert %s --from DIR` converts its text files in DIR",
		ProductsName, dirs, fs.ErrNotExist, ProductsName, ProductsName)
}
