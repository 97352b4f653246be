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
)

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
	ends := numbers(r, edgesText, 2, below[uint32](want.nodes))
	d := &Dataset{Features: want.features, Classes: want.classes, Parts: make([]Part, want.nodes),
		X:      numbers(r, featuresText, want.features, finite),
		Labels: numbers(r, labelsText, 1, below[int](want.classes))}
	for i, file := range partsText {
		for _, node := range numbers(r, file, 1, below[int](want.nodes)) {
			if d.Parts[node] != None {
				r.err = cmp.Or(r.err, fmt.Errorf("%s: node %d is in two parts of the split", file, node))
			}
			d.Parts[node] = Training + Part(i)
		}
	}
	training := len(d.Of(Training))
	if r.err == nil && (len(d.X) != want.nodes*want.features || len(d.Labels) != want.nodes ||
		slices.Max(d.Labels) != want.classes-1 || len(ends) != 2*want.edges || training != want.training) {
		r.err = fmt.Errorf("%d features, %d labels, %d edges and %d training nodes are not those of %s, %+v", len(d.X),
			len(d.Labels), len(ends)/2, training, ProductsName, want)
	}
	if r.err != nil {
		return nil, r.err
	}
	d.Adjacency = sparse.FromEdges(want.nodes, ends)
	return d, nil
}

// numbers returns the numbers in a file, row by row, with the given number of columns. After an error it reads nothing.
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
