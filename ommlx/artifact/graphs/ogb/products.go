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

// The folder in the archive of ogbn-products and the name of its split.
const (
	productsFolder = "products"
	productsSplit  = "sales_ranking"
)

// products are the counts of ogbn-products in the paper and the Open Graph Benchmark. Tests replace them with the
// counts of a small graph.
var products = counts{nodes: 2_449_029, edges: 61_859_140, features: 100, classes: 47}

// productsArchive is the Open Graph Benchmark's archive, about 1.38 GB. Neither its size nor a checksum is published.
var productsArchive = run.File{Kind: ProductsName, Most: 2 << 30,
	URL: "https://snap.stanford.edu/ogb/data/nodeproppred/products.zip"}

// OpenProducts reads the converted ogbn-products from the first folder of [run.DataFolders] that has it. If none has
// it, the error wraps [fs.ErrNotExist] and names the command to run.
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
		if g, err = open(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, filepath.Join(folders[0], "arrays"), fmt.Errorf("ogb: %s not found in %q: %w; run "+
			"`omm data get %s`, or `omm data convert %s --from DIR` with its text files in DIR", ProductsName, folders,
			fs.ErrNotExist, ProductsName, ProductsName)
	case err == nil && g.counts() != products:
		return nil, dir, fmt.Errorf("ogb: %s: counts are %v, want %v for %s (nodes, edges, features, classes)", dir,
			g.counts(), products, ProductsName)
	}
	return g, dir, err
}

// GetProducts downloads ogbn-products, the co-purchase graph of a shop's products, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence),
//
// or from the folder at address if it is not empty, converts it for [OpenProducts] and deletes the archive. If the
// graph is already there, it does nothing. It writes progress to out and needs 3 GB of disk.
//
// No checksum of the archive is published. GetProducts verifies the CRC-32 of each file and the counts of the graph,
// and records the SHA-256 of the archive.
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
			_ = os.Remove(archive) // damaged or another graph
		}
		return err
	}
	dir, err := Text{Name: ProductsName}.arrays()
	if err != nil {
		return err
	}
	if err := g.saveAndPrint(dir, sum, out); err != nil {
		return err
	}
	return os.Remove(archive)
}

func readArchive(ctx context.Context, archive string, out io.Writer) (g *Graph, sum string, err error) {
	if sum, err = fsx.SHA256(archive); err != nil {
		return nil, "", err
	}
	content, err := zip.OpenReader(archive)
	if err != nil {
		return nil, "", fmt.Errorf("ogb: %s: %w", archive, err)
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

// AllStored lists ogbn-products, even if it is missing, and the other converted graphs in the data folder.
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
		_, err := open(dir)
		if folder.Name() != ProductsName && !errors.Is(err, fs.ErrNotExist) {
			all = append(all, Stored{folder.Name(), dir, err})
		}
	}
	return all, nil
}
