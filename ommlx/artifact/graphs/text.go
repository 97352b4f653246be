package graphs

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// The text files of a graph in the format of the Open Graph Benchmark, each compressed by gzip: "u,v" for each edge, in
// one direction; the features of the nodes, row by row; their labels; and the number of nodes.
const (
	edgesText    = "raw/edge.csv.gz"
	featuresText = "raw/node-feat.csv.gz"
	labelsText   = "raw/node-label.csv.gz"
	nodesText    = "raw/num-node-list.csv.gz"
)

// splitText lists the text files of a split: the nodes for training, validation and test.
func splitText(split string) (files []string) {
	for _, part := range []string{"train", "valid", "test"} {
		files = append(files, "split/"+split+"/"+part+".csv.gz")
	}
	return files
}

// maxClasses is the number of classes that fit in [Dataset].Labels.
const maxClasses = math.MaxUint16 + 1

// Text is a graph in the text files of the Open Graph Benchmark.
type Text struct {
	Name    string // of the graph and of its folder, see [run.DataFolder]
	From    string // folder with the folders raw and split
	Split   string // name of the split; empty for the only one
	Classes int    // number of classes; 0 for the largest label + 1
}

// Convert reads the text files and saves the graph for [Open]. It writes progress to out. It leaves out self-loops and
// repeated edges. For ogbn-products it sets Split and Classes, requires the published counts and takes up to 4 GiB of
// memory. An error names the file and the line.
func (t Text) Convert(ctx context.Context, out io.Writer) error {
	return t.convert(ctx, os.DirFS(t.From), out)
}

func (t Text) convert(ctx context.Context, files fs.FS, out io.Writer) error {
	switch {
	case t.Name == ProductsName:
		t.Split, t.Classes = productsSplit, products.classes
	case t.Split == "":
		splits, err := fs.ReadDir(files, "split")
		if err != nil {
			return fmt.Errorf("graphs: %s: %w", t.From, err)
		}
		if len(splits) != 1 {
			return fmt.Errorf("graphs: %s: %d splits, want 1; name one", t.From, len(splits))
		}
		t.Split = splits[0].Name()
	}
	if t.Classes < 0 || t.Classes > maxClasses {
		return fmt.Errorf("graphs: classes %d out of range [1, %d], or 0 to count the labels", t.Classes, maxClasses)
	}
	folder, err := run.DataFolder(t.Name)
	if err != nil {
		return err
	}
	d, err := t.read(ctx, files, out)
	if err != nil {
		return err
	}
	return d.save(folder, out)
}

// read returns the graph in the text files of a file system.
func (t Text) read(ctx context.Context, files fs.FS, out io.Writer) (*Dataset, error) {
	r := &textReader{ctx: ctx, files: files, out: out}
	nodes := 0
	for _, n := range numbers(r, nodesText, 1, below[int](math.MaxUint32)) {
		nodes += n
	}
	ends := numbers(r, edgesText, 2, below[uint32](nodes))
	d := &Dataset{Name: t.Name, X: numbers(r, featuresText, 0, finite),
		Labels: numbers(r, labelsText, 1, below[uint16](cmp.Or(t.Classes, maxClasses))),
		Parts:  make([]Part, nodes)}
	for i, file := range splitText(t.Split) {
		for _, node := range numbers(r, file, 1, below[int](nodes)) {
			if d.Parts[node] != None {
				r.err = cmp.Or(r.err, fmt.Errorf("%s: node %d is in two parts of the split", file, node))
			}
			d.Parts[node] = Training + Part(i)
		}
	}
	if r.err == nil && (nodes == 0 || len(d.Labels) != nodes || len(d.X)%nodes != 0) {
		r.err = fmt.Errorf("%d features and %d labels for %d nodes", len(d.X), len(d.Labels), nodes)
	}
	if r.err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", t.From, r.err)
	}
	d.Features, d.Classes = len(d.X)/nodes, cmp.Or(t.Classes, int(slices.Max(d.Labels))+1)
	found := counts{nodes, len(ends) / 2, d.Features, d.Classes}
	if t.Name == ProductsName && found != products {
		return nil, fmt.Errorf("graphs: %s: counts are %v, want %v for %s (nodes, edges, features, classes)", t.From,
			found, products, t.Name)
	}
	d.join(nodes, ends)
	return d, nil
}

// textReader reads text files in turn until the first error.
type textReader struct {
	ctx   context.Context
	files fs.FS
	out   io.Writer // for progress
	err   error
}

// numbers returns the numbers in a file, row by row, with the given number of columns, or as many as in line 1 if that
// is 0. After an error it reads nothing.
func numbers[T any](r *textReader, file string, columns int, parse func(string) (T, error)) (all []T) {
	if r.err != nil {
		return nil
	}
	r.err = r.rows(file, columns, func(cells []string) error {
		for _, cell := range cells {
			x, err := parse(cell)
			if err != nil {
				return err
			}
			all = append(all, x)
		}
		return nil
	})
	return all
}

func (r *textReader) rows(file string, columns int, do func(cells []string) error) error {
	packed, err := r.files.Open(file)
	if err != nil {
		return err
	}
	defer packed.Close()
	line := &say.Timed{Line: say.Line{W: r.out, Terminal: say.Terminal(r.out)}}
	defer line.Clear()
	unpacked, err := gzip.NewReader(bufio.NewReaderSize(&watched{packed, r.ctx, line, file, 0}, 1<<16))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	rows := csv.NewReader(unpacked)
	rows.FieldsPerRecord, rows.ReuseRecord = columns, true
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(cells)
		}
		if err != nil {
			line, _ := rows.FieldPos(0)
			return fmt.Errorf("%s, line %d: %w", file, line, err)
		}
	}
}

// watched is an open file that shows how much of it was read and stops with the context.
type watched struct {
	fs.File
	ctx  context.Context
	line *say.Timed
	name string
	at   int64
}

// Read implements [io.Reader].
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.File.Read(b)
	w.at += int64(n)
	if info, statErr := w.Stat(); statErr == nil {
		w.line.Show("reading "+w.name, float64(w.at)/float64(max(info.Size(), 1)))
	}
	return n, cmp.Or(context.Cause(w.ctx), err)
}

// below parses a whole number in [0, limit).
func below[T int | uint32 | uint16](limit int) func(string) (T, error) {
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
