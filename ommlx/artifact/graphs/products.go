package graphs

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"omm-go/ommlx/artifact/run"
)

// ProductsName is the name of the graph of ogbn-products in results and tables, and of its data folder.
const ProductsName = "ogbn-products"

// counts identify a graph: edges are lines of the text file, and training is the number of training nodes.
type counts struct{ nodes, edges, features, classes, training int }

// products are the counts of ogbn-products in the paper and the Open Graph Benchmark. Tests replace them with the
// counts of a small graph.
var products = counts{nodes: 2_449_029, edges: 61_859_140, features: 100, classes: 47, training: 196_615}

// productsArchive is the Open Graph Benchmark's archive, about 1.38 GB. Neither its size nor a checksum is published.
var productsArchive = run.File{Kind: ProductsName, Most: 2 << 30,
	URL: "https://snap.stanford.edu/ogb/data/nodeproppred/products.zip"}

// GetProducts downloads ogbn-products, the co-purchase graph of a shop's products, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence),
//
// or from the folder at address if it is not empty, converts it for [Open] and deletes the archive. If the graph is
// already there, it does nothing. It writes progress to out and needs 4 GB of disk.
//
// No checksum of the archive is published. GetProducts verifies the CRC-32 of each file and the counts of the graph.
func GetProducts(ctx context.Context, address string, out io.Writer) error {
	if d, err := Open(ProductsName); err == nil {
		fmt.Fprintf(out, "%s: already there, %s\n", ProductsName, d)
		return nil
	}
	archive, err := productsArchive.Get(ctx, address, out)
	if err != nil {
		return err
	}
	if err := convertArchive(ctx, archive, out); err != nil {
		if ctx.Err() == nil {
			_ = os.Remove(archive) // damaged or another graph
		}
		return err
	}
	return os.Remove(archive)
}

func convertArchive(ctx context.Context, archive string, out io.Writer) error {
	content, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("graphs: %s: %w", archive, err)
	}
	defer content.Close()
	files, err := fs.Sub(content, "products")
	if err == nil {
		err = convert(ctx, files, out)
	}
	return err
}
