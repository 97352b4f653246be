package ogb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
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

// products are the counts of ogbn-products: 61,859,140 edges of 2,449,029 products, each with 100 features and one of
// 47 classes, as the paper and the Open Graph Benchmark state them. Tests put those of a small graph here.
var products = counts{nodes: 2_449_029, features: 100, classes: 47, edges: 61_859_140}

// counts of a graph, as its text files had them.
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

// OpenProducts opens the converted arrays of ogbn-products, looked for along [dataset.SearchPath]; the caller closes
// the graph. A graph with other numbers of nodes, edges, features or classes than published is an error.
//
// Where no folder has the arrays, the error wraps [io/fs.ErrNotExist] and names the commands that make them; other
// errors say what is wrong with them.
func OpenProducts() (*Graph, error) {
	g, _, err := findProducts()
	return g, err
}

// findProducts also returns where the arrays were found, or where `omm data get` would put them.
func findProducts() (g *Graph, dir string, err error) {
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
		if got := g.counts(); got != products {
			return nil, dirs[i], errors.Join(fmt.Errorf("the graph in %s is not %s: it has %s, expected %s; delete "+
				"the folder and run `omm data get %s`", dirs[i], ProductsName, got, products, ProductsName), g.Close())
		}
		return g, dirs[i], nil
	}
	return nil, dirs[0], fmt.Errorf("the arrays of %s are in none of %q (%w); `omm data get %s` downloads and "+
		"converts it, `omm data convert %s --from DIR` converts its text files in DIR",
		ProductsName, dirs, fs.ErrNotExist, ProductsName, ProductsName)
}

// ProductsStatus looks for ogbn-products as [OpenProducts] does. Errors are those of [dataset.Dir].
func ProductsStatus() (dataset.FileStatus, error) {
	g, dir, err := findProducts()
	if dir == "" {
		return dataset.FileStatus{}, err
	}
	return status(ProductsName, dir, g, err), nil
}

// OtherStatus lists the graphs in the data folder that [Other] converted, and those that were generated, by the names
// of their folders and without those that are not finished. Errors are those of [dataset.Dir], or say that a folder
// cannot be read.
func OtherStatus() (all []dataset.FileStatus, err error) {
	generated, err := dataset.Dir(generatedKind)
	if err != nil {
		return nil, err
	}
	for _, place := range []struct{ dir, prefix string }{
		{filepath.Dir(generated), ""}, {generated, generatedKind + "/"},
	} {
		folders, err := os.ReadDir(place.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, folder := range folders {
			arrays := filepath.Join(place.dir, folder.Name(), arraysFolder)
			g, err := Open(arrays)
			s := status(place.prefix+folder.Name(), arrays, g, err)
			if s.State != dataset.Missing && s.Name != ProductsName {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// status describes what opening a graph gave and whether its files are as they were written, and closes it.
func status(name, dir string, g *Graph, err error) dataset.FileStatus {
	if err == nil {
		err = errors.Join(g.Verify(), g.Close())
	}
	return dataset.StatusOf(name, dir, err)
}

// alone makes a folder and does in it what one process at a time may do; who has to wait calls waiting first.
func alone(ctx context.Context, dir string, waiting func(), do func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return dataset.Unwritable(dir, err)
	}
	lock, err := fsx.Lock(ctx, filepath.Join(dir, "lock"), waiting)
	if err != nil {
		return explained(ctx, dir, err)
	}
	defer fsx.DropLock(lock)
	return do()
}

// explained says of an error of work in a folder what to do: about the disk, or after the end of ctx.
func explained(ctx context.Context, dir string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return fmt.Errorf("stopped (%w); the same command makes the arrays, of which none are there, anew", cause)
	}
	disk, ok := errors.AsType[*fs.PathError](err)
	if ok && strings.HasPrefix(disk.Path, dir+string(filepath.Separator)) {
		return dataset.Unwritable(dir, err)
	}
	return err
}
