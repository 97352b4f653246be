package graphs

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"omm-go/ommlx/artifact/graphs/sparse"
	"omm-go/ommlx/artifact/run"
)

// The text files of a graph in the format of the Open Graph Benchmark, each compressed by gzip: "u,v" for each edge, in
// one direction; the features of the nodes, row by row; their labels; and the number of nodes.
const (
	edgesText    = "raw/edge.csv.gz"
	featuresText = "raw/node-feat.csv.gz"
	labelsText   = "raw/node-label.csv.gz"
	nodesText    = "raw/num-node-list.csv.gz"
)

// partsText are the files of a split in its folder: the nodes for training, validation and test.
var partsText = []string{"train.csv.gz", "valid.csv.gz", "test.csv.gz"}

// convert reads the text files of ogbn-products, in the folders raw and split, and saves it for [Open]. The only folder
// in split is the split. Self-loops and repeated edges are left out. The counts must be the published ones. It takes up
// to 6 GiB of memory. An error names the file and the line.
func convert(ctx context.Context, files fs.FS, out io.Writer) error {
	folder, err := run.DataFolder(ProductsName)
	if err != nil {
		return err
	}
	r := &textReader{ctx: ctx, files: files, out: out}
	d, err := r.dataset()
	if err != nil {
		return fmt.Errorf("graphs: %w", err)
	}
	return d.save(folder, out)
}

// textReader reads text files in turn until the first error.
type textReader struct {
	ctx   context.Context
	files fs.FS
	out   io.Writer
	err   error
}

func (r *textReader) dataset() (*Dataset, error) {
	nodes := 0
	for _, n := range numbers(r, nodesText, 1, below[int](math.MaxUint32)) {
		nodes += n
	}
	ends := numbers(r, edgesText, 2, below[uint32](nodes))
	d := &Dataset{X: numbers(r, featuresText, 0, finite),
		Labels: numbers(r, labelsText, 1, below[int](1<<16)), Parts: make([]Part, nodes)}
	splits, err := fs.ReadDir(r.files, "split")
	if r.err = cmp.Or(r.err, err); r.err == nil && len(splits) != 1 {
		r.err = fmt.Errorf("%d folders in split, want 1", len(splits))
	}
	for i, file := range partsText {
		if r.err != nil {
			return nil, r.err
		}
		for _, node := range numbers(r, "split/"+splits[0].Name()+"/"+file, 1, below[int](nodes)) {
			if d.Parts[node] != None {
				return nil, fmt.Errorf("%s: node %d is in two parts of the split", file, node)
			}
			d.Parts[node] = Training + Part(i)
		}
	}
	if r.err == nil && (nodes == 0 || len(d.Labels) != nodes || len(d.X)%nodes != 0) {
		r.err = fmt.Errorf("%d features and %d labels for %d nodes", len(d.X), len(d.Labels), nodes)
	}
	if r.err != nil {
		return nil, r.err
	}
	d.Features, d.Classes = len(d.X)/nodes, slices.Max(d.Labels)+1
	found := counts{nodes, len(ends) / 2, d.Features, d.Classes, len(d.Of(Training))}
	if found != products {
		return nil, fmt.Errorf("counts are %v, want %v for %s (nodes, edges, features, classes, training nodes)",
			found, products, ProductsName)
	}
	d.Adjacency = sparse.FromEdges(nodes, ends)
	return d, nil
}

// numbers returns the numbers in a file, row by row, with the given number of columns, or as many as in line 1 if that
// is 0. After an error it reads nothing.
func numbers[T any](r *textReader, file string, columns int, parse func(string) (T, error)) (all []T) {
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
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", file, err)
		return nil
	}
	rows := csv.NewReader(unpacked)
	rows.FieldsPerRecord, rows.ReuseRecord = columns, true
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		for i := 0; i < len(cells) && err == nil; i++ {
			var x T
			x, err = parse(cells[i])
			all = append(all, x)
		}
		if err = cmp.Or(context.Cause(r.ctx), err); err != nil {
			line, _ := rows.FieldPos(0)
			r.err = fmt.Errorf("%s, line %d: %w", file, line, err)
			return nil
		}
	}
}

// below parses a whole number in [0, limit).
func below[T int | uint32](limit int) func(string) (T, error) {
	return func(text string) (T, error) {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n >= uint64(limit) {
			return 0, fmt.Errorf("%.24q is not a whole number in [0, %d)", text, limit)
		}
		return T(n), nil
	}
}

func finite(text string) (float32, error) {
	x, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%.24q is not a finite number", text)
	}
	return float32(x), nil
}
