package graphs

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"

	"omm-go/ommlx/artifact/run"
)

// ProductsName is the name of the graph of ogbn-products in results and tables, and of its data folder.
const ProductsName = "ogbn-products"

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
// or from the folder at address if it is not empty, unless it is already there. It writes progress to out.
//
// No checksum of the archive is published. GetProducts reads the graph, which verifies the CRC-32 of each file and the
// counts, and deletes an archive that is damaged or has another graph.
func GetProducts(ctx context.Context, address string, out io.Writer) error {
	archive, err := productsArchive.Get(ctx, address, out)
	if err != nil {
		return err
	}
	d, err := readProducts(ctx, archive, out)
	if err != nil {
		if ctx.Err() == nil {
			_ = os.Remove(archive)
		}
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", archive, d)
	return nil
}

// readProducts reads ogbn-products from its archive. That takes about two minutes and up to 6 GiB of memory.
func readProducts(ctx context.Context, archive string, out io.Writer) (*Dataset, error) {
	content, err := zip.OpenReader(archive)
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", archive, err)
	}
	defer content.Close()
	d, err := (&textReader{ctx: ctx, files: content, out: out}).products()
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", archive, err)
	}
	return d, nil
}
