package ogb

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// ProductsName is the name of the graph of ogbn-products in results and tables, and of its data folder.
const ProductsName = "ogbn-products"

// The folder in the archive of ogbn-products, and the name of its split.
const (
	productsFolder = "products"
	productsSplit  = "sales_ranking"
)

// products are the counts of ogbn-products, as the paper and the Open Graph Benchmark state them. Tests replace them by
// the counts of a small graph.
var products = counts{nodes: 2_449_029, edges: 61_859_140, features: 100, classes: 47}

// productsArchive is the archive at the address that the Open Graph Benchmark names. It has about 1.38 GB; neither its
// size nor a checksum is published.
var productsArchive = run.File{Kind: ProductsName, Most: 2 << 30,
	URL: "https://snap.stanford.edu/ogb/data/nodeproppred/products.zip"}

// OpenProducts reads the converted ogbn-products from the first folder of [run.DataFolders] that has it. If there is
// none, the error wraps [fs.ErrNotExist] and names the command that gets it.
func OpenProducts() (*Graph, error) {
	g, _, err := findProducts()
	return g, err
}

func findProducts() (g *Graph, dir string, err error) {
	folders, err := run.DataFolders(ProductsName)
	if err != nil {
		return nil, "", err
	}
	for _, folder := range folders {
		dir = filepath.Join(folder, "arrays")
		if g, err = Open(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, filepath.Join(folders[0], "arrays"), fmt.Errorf("ogb: %s is in none of %q: %w; run "+
			"`omm data get %s`, or `omm data convert %s --from DIR` with its text files in DIR", ProductsName, folders,
			fs.ErrNotExist, ProductsName, ProductsName)
	case err == nil && g.counts() != products:
		return nil, dir, fmt.Errorf("ogb: %s is not %s: it has %v, want %v (nodes, edges, features, classes)", dir,
			ProductsName, g.counts(), products)
	}
	return g, dir, err
}

// GetProducts downloads ogbn-products, the products that customers of a shop bought together, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence),
//
// or from the folder at another address, if it is not empty, converts it for [OpenProducts] and deletes the archive. If
// the graph is there already, nothing is done. Progress goes to out. It needs 3 GB of disk.
//
// No checksum of the archive is published. The CRC-32 of each file in it and the counts of the graph are verified, and
// the SHA-256 of the archive is recorded.
func GetProducts(ctx context.Context, address string, out io.Writer) error {
	if g, err := OpenProducts(); err == nil {
		fmt.Fprintf(out, "%s: already there, %s\n", ProductsName, g)
		return nil
	}
	archive, err := productsArchive.Get(ctx, address, out)
	if err != nil {
		return err
	}
	g, sum, err := readArchive(ctx, archive, out)
	if err != nil {
		if ctx.Err() == nil {
			_ = os.Remove(archive) // damaged, or of another graph
		}
		return err
	}
	dir, err := Text{Name: ProductsName}.arrays()
	if err != nil {
		return err
	}
	if err := g.put(dir, sum, out); err != nil {
		return err
	}
	return os.Remove(archive)
}

// readArchive returns the graph in an archive and the archive's SHA-256.
func readArchive(ctx context.Context, archive string, out io.Writer) (g *Graph, sum string, err error) {
	if sum, err = fsx.SHA256(archive); err != nil {
		return nil, "", err
	}
	content, err := zip.OpenReader(archive)
	if err != nil {
		return nil, "", fmt.Errorf("ogb: reading %s: %w", archive, err)
	}
	defer content.Close()
	files, err := fs.Sub(content, productsFolder)
	if err != nil {
		return nil, "", err
	}
	t := Text{Name: ProductsName, From: archive, Split: productsSplit, Classes: products.classes}
	g, err = t.read(ctx, files, out)
	return g, sum, err
}

// Stored is a converted graph in a data folder; Err is the error of opening it.
type Stored struct {
	Name, Dir string
	Err       error
}

// AllStored lists ogbn-products, also if it is missing, and the other converted graphs in the data folder.
func AllStored() ([]Stored, error) {
	_, dir, err := findProducts()
	all := []Stored{{ProductsName, dir, err}}
	place, err := run.DataFolder(ProductsName)
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(filepath.Dir(place))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, folder := range folders {
		dir := filepath.Join(filepath.Dir(place), folder.Name(), "arrays")
		_, err := Open(dir)
		if folder.Name() != ProductsName && !errors.Is(err, fs.ErrNotExist) {
			all = append(all, Stored{folder.Name(), dir, err})
		}
	}
	return all, nil
}
