package ogb

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/fsx"
)

// ProductsName is the name of the graph of ogbn-products in results and tables, and of its data folder, see
// [dataset.Dir].
const ProductsName = "ogbn-products"

// The archive of ogbn-products, the folder in it, the name of its split, and the address that the Open Graph Benchmark
// names, by https.
const (
	productsZip    = "products.zip"
	productsFolder = "products"
	productsSplit  = "sales_ranking"
	publishedAt    = "https://snap.stanford.edu/ogb/data/nodeproppred"
)

// products are the counts of ogbn-products: 61,859,140 edges of 2,449,029 products, each with 100 features and one of
// 47 classes, as the paper and the Open Graph Benchmark state them. Tests put those of a small graph here.
var products = counts{nodes: 2_449_029, features: 100, classes: 47, edges: 61_859_140}

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

// GetProducts downloads ogbn-products, the products that customers of a shop bought together, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence),
//
// or from the folder with products.zip at another address, if that is not empty. It converts it to the arrays of
// [OpenProducts] in the data folder, and deletes the archive; where there are such arrays already, nothing is done. It
// writes to out (nil for silence) what it does, and while that lasts how far it is with the time left. 3 GB of disk are
// needed meanwhile.
//
// No checksum of the archive is published. Verified are the CRC-32 that it has of each file, and the counts, see
// [OpenProducts]; the SHA-256 that was seen is written to out and kept as [Graph].Archive, so that it can be compared.
//
// A transfer that was cut off goes on with the next byte. Of two processes one waits for the other. Errors are those of
// [dataset.Collection.Get] and [Text.Convert]; or say that the archive is damaged or not ogbn-products, and then it is
// deleted, and the next call fetches it again.
func GetProducts(ctx context.Context, address string, out io.Writer) error {
	return inFolder(ctx, ProductsName, out, func(dir string, out io.Writer) error {
		// Neither size nor checksum of the archive is published; it has about 1.38 GB.
		from := dataset.Collection{Kind: ProductsName, BaseURL: cmp.Or(address, publishedAt),
			Files: []dataset.File{{Name: productsZip, Most: 2 << 30}}}
		archive := filepath.Join(dir, productsZip)
		var err error
		if !there(out) {
			if err = from.Get(ctx, "", dir, out); err == nil {
				err = convertArchive(ctx, archive, out)
			}
		}
		_, unfit := errors.AsType[*unusable](err)
		if unfit {
			err = fmt.Errorf("%w; what came from %s is deleted, run the command again or name another address", err,
				from.BaseURL)
		}
		if unfit || err == nil {
			if removal := os.Remove(archive); !errors.Is(removal, fs.ErrNotExist) {
				err = errors.Join(err, removal)
			}
		}
		return err
	})
}

// there reports whether there are such arrays already, and why those that are there are made again.
func there(out io.Writer) bool {
	g, err := OpenProducts()
	if err == nil {
		fmt.Fprintf(out, "%s: already there, %s\n", g.Dir, g)
		_ = g.Close() // nothing was written
	} else if !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(out, "Making the arrays again: %s\n", err)
	}
	return err == nil
}

// convertArchive makes the arrays of the text files in an archive.
func convertArchive(ctx context.Context, archive string, out io.Writer) error {
	c := productsFrom(archive, filepath.Dir(archive))
	var err error
	if c.archive, err = fsx.SHA256(archive); err != nil {
		return err
	}
	fmt.Fprintf(out, "SHA-256 of %s: %s. None is published to verify it by; the CRC-32 of each file in it and the "+
		"counts of the graph are verified.\n", productsZip, c.archive)
	content, err := zip.OpenReader(archive)
	if err != nil {
		return &unusable{fmt.Errorf("%s is damaged or another file: %w", archive, err)}
	}
	defer content.Close()
	if c.FS, err = fs.Sub(content, productsFolder); err != nil {
		return err
	}
	return c.shown(ctx, out)
}

// productsFrom converts the text files of ogbn-products to arrays in its data folder.
func productsFrom(from, dir string) *conversion {
	c := Text{Name: ProductsName, From: from, Split: productsSplit, Classes: products.classes}.into(
		filepath.Join(dir, arraysFolder))
	c.want = products
	return c
}
