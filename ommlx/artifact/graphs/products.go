package graphs

import (
	"archive/zip"
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

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
	if _, err := readProducts(ctx, archive, out); err != nil {
		if ctx.Err() != nil {
			return err
		}
		_ = os.Remove(archive)
		return fmt.Errorf("%w; the archive is deleted, so run `omm data get %s` again", err, ProductsName)
	}
	fmt.Fprintf(out, "%s: verified, %+v\n", archive, products)
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

// The files of ogbn-products in the format of the Open Graph Benchmark, text compressed by gzip: "u,v" for each edge,
// in one direction; the features of the nodes, row by row; and their labels.
const (
	edgesText    = "products/raw/edge.csv.gz"
	featuresText = "products/raw/node-feat.csv.gz"
	labelsText   = "products/raw/node-label.csv.gz"
)

// partsText lists the nodes for training, validation and test.
var partsText = []string{"products/split/sales_ranking/train.csv.gz", "products/split/sales_ranking/valid.csv.gz",
	"products/split/sales_ranking/test.csv.gz"}

// textReader reads text files in turn until the first error.
type textReader struct {
	ctx   context.Context
	files fs.FS
	out   io.Writer
	err   error
}

// products reads ogbn-products. Self-loops and repeated edges are left out. The counts must be the published ones. An
// error names the file and the line.
func (r *textReader) products() (*Dataset, error) {
	want := products
	ends := numbers(r, edgesText, 2, uint32(want.nodes-1))
	d := &Dataset{Features: want.features, Classes: want.classes, Parts: make([]Part, want.nodes),
		X: numbers[float32](r, featuresText, want.features, math.MaxFloat32)}
	for _, label := range numbers(r, labelsText, 1, uint32(want.classes-1)) {
		d.Labels = append(d.Labels, int(label))
	}
	for i, file := range partsText {
		for _, node := range numbers(r, file, 1, uint32(want.nodes-1)) {
			if d.Parts[node] != None {
				r.err = cmp.Or(r.err, fmt.Errorf("%s: node %d is in two parts of the split", file, node))
			}
			d.Parts[node] = Training + Part(i)
		}
	}
	training := len(d.Of(Training))
	switch {
	case r.err != nil:
		return nil, r.err
	case len(d.X) != want.nodes*want.features || len(d.Labels) != want.nodes || len(ends) != 2*want.edges ||
		training != want.training || slices.Max(d.Labels) != want.classes-1:
		return nil, fmt.Errorf("%d features, %d labels, %d edges and %d training nodes are not those of %s, %+v",
			len(d.X), len(d.Labels), len(ends)/2, training, ProductsName, want)
	}
	d.Adjacency = FromEdges(want.nodes, ends)
	return d, nil
}

// numbers returns the numbers in a file, row by row, each with the given number of columns. After an error it reads
// nothing. A row in brackets is an array for encoding/json, which refuses what is not a finite number of the type.
func numbers[T uint32 | float32](r *textReader, file string, columns int, most T) (all []T) {
	if r.err != nil {
		return nil
	}
	fmt.Fprintf(r.out, "reading %s\n", file)
	packed, err := r.files.Open(file)
	if err != nil {
		r.err = err
		return nil
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", file, err)
		return nil
	}
	var row []T
	rows := bufio.NewScanner(text)
	for line := 1; rows.Scan(); line++ {
		err := json.Unmarshal([]byte("["+rows.Text()+"]"), &row)
		if err != nil || len(row) != columns || slices.Max(row) > most {
			err = fmt.Errorf("%.60q, want %d numbers of type %T, at most %[3]v", rows.Text(), columns, most)
		}
		if err = cmp.Or(context.Cause(r.ctx), rows.Err(), err); err != nil {
			r.err = fmt.Errorf("%s, line %d: %w", file, line, err)
			return nil
		}
		all = append(all, row...)
	}
	if err = rows.Err(); err != nil {
		r.err = fmt.Errorf("%s: %w", file, err)
	}
	return all
}
