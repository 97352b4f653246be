package ogb

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
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

// parts lists the text files of a split: the nodes for training, validation and test.
func parts(split string) []string {
	of := func(part string) string { return "split/" + split + "/" + part + ".csv.gz" }
	return []string{of("train"), of("valid"), of("test")}
}

// maxClasses is the number of classes that fit in [Graph].Labels.
const maxClasses = math.MaxUint16 + 1

// Text is a graph in the text files of the Open Graph Benchmark.
type Text struct {
	Name    string // of the graph and of its folder, see [run.DataFolder]
	From    string // folder with the folders raw and split
	Split   string // name of the split; empty for the only one
	Classes int    // number of classes; 0 for the largest label + 1
}

// arrays is the folder of the converted graph.
func (t Text) arrays() (string, error) {
	dir, err := run.DataFolder(t.Name)
	return filepath.Join(dir, "arrays"), err
}

// Convert reads the text files and saves the graph in the folder arrays of its data folder. It writes progress to out.
// For ogbn-products it sets Split and Classes, requires the published counts and takes up to 4 GiB of memory.
//
// It leaves out self-loops and repeated edges and counts them. An error names the file and the line.
func (t Text) Convert(ctx context.Context, out io.Writer) error {
	switch {
	case t.Name == ProductsName:
		t.Split, t.Classes = productsSplit, products.classes
	case t.Split == "":
		splits, err := os.ReadDir(filepath.Join(t.From, "split"))
		if err != nil {
			return fmt.Errorf("ogb: text files: %w", err)
		}
		if len(splits) != 1 {
			return fmt.Errorf("ogb: %s: %d splits, want 1; name one", t.From, len(splits))
		}
		t.Split = splits[0].Name()
	}
	if t.Classes < 0 || t.Classes > maxClasses {
		return fmt.Errorf("ogb: classes %d out of range [1, %d], or 0 to count the labels", t.Classes, maxClasses)
	}
	dir, err := t.arrays()
	if err != nil {
		return err
	}
	g, err := t.read(ctx, os.DirFS(t.From), out)
	if err != nil {
		return err
	}
	return g.saveAndPrint(dir, "", out)
}

// saveAndPrint saves the graph and prints its folder.
func (g *Graph) saveAndPrint(dir, archive string, out io.Writer) error {
	err := g.save(dir, archive)
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", dir, g)
	}
	return err
}

// reading is the state while text files are read in turn.
type reading struct {
	Text
	fs.FS     // contains the text files
	ctx       context.Context
	line      say.Timed
	total, at int64 // compressed bytes, of all files and read so far
}

// read returns the graph in the text files of a file system.
func (t Text) read(ctx context.Context, files fs.FS, out io.Writer) (*Graph, error) {
	r := &reading{Text: t, FS: files, ctx: ctx, line: say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}}
	defer r.line.Clear()
	for _, file := range append(parts(t.Split), nodesText, edgesText, featuresText, labelsText) {
		info, err := fs.Stat(files, file)
		if err != nil {
			return nil, fmt.Errorf("ogb: %s: %w", filepath.Join(t.From, file), err)
		}
		r.total += info.Size()
	}
	g := &Graph{Name: t.Name, Classes: t.Classes}
	nodes := 0
	err := r.numbers(nodesText, math.MaxUint32, func(n int) error {
		nodes += n
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, fill := range []func(*Graph, int) error{r.edges, r.features, r.labels, r.parts} {
		if err := fill(g, nodes); err != nil {
			return nil, err
		}
	}
	if len(g.X) != nodes*g.Features || len(g.Labels) != nodes {
		return nil, fmt.Errorf("ogb: %s: %d rows of %d features and %d labels for %d nodes", t.From,
			len(g.X)/max(g.Features, 1), g.Features, len(g.Labels), nodes)
	}
	if t.Name == ProductsName && g.counts() != products {
		return nil, fmt.Errorf("ogb: %s: counts are %v, want %v for %s (nodes, edges, features, classes)", t.From,
			g.counts(), products, t.Name)
	}
	return g, nil
}

func (r *reading) edges(g *Graph, nodes int) error {
	var ends []uint32
	err := r.lines(edgesText, func(text []byte) error {
		first, second, _ := bytes.Cut(text, []byte{','})
		for _, end := range [][]byte{first, second} {
			node, err := number(end, nodes)
			if err != nil {
				return err
			}
			ends = append(ends, uint32(node))
		}
		return nil
	})
	if err == nil {
		g.join(nodes, ends)
	}
	return err
}

func (r *reading) features(g *Graph, _ int) error {
	return r.lines(featuresText, func(text []byte) error {
		before := len(g.X)
		for cell := range bytes.SplitSeq(text, []byte{','}) {
			x, err := strconv.ParseFloat(string(cell), 32)
			if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%.24q is not a finite number", cell)
			}
			g.X = append(g.X, float32(x))
		}
		if n := len(g.X) - before; before > 0 && n != g.Features {
			return fmt.Errorf("%d features, want %d as in line 1", n, g.Features)
		}
		g.Features = len(g.X) - before
		return nil
	})
}

func (r *reading) labels(g *Graph, nodes int) error {
	g.Labels = make([]uint16, 0, nodes)
	return r.numbers(labelsText, cmp.Or(r.Classes, maxClasses), func(label int) error {
		g.Classes, g.Labels = max(g.Classes, label+1), append(g.Labels, uint16(label))
		return nil
	})
}

func (r *reading) parts(g *Graph, nodes int) error {
	g.Parts = make([]Part, nodes)
	for i, file := range parts(r.Split) {
		err := r.numbers(file, nodes, func(node int) error {
			if g.Parts[node] != None {
				return fmt.Errorf("node %d is in two parts of the split", node)
			}
			g.Parts[node] = Training + Part(i)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lines calls do with each line of a file, without the line ending. The text is valid until do returns.
func (r *reading) lines(file string, do func(text []byte) error) error {
	failed := func(line int, err error) error {
		return fmt.Errorf("ogb: %s, line %d: %w", filepath.Join(r.From, file), line, err)
	}
	packed, err := r.Open(file)
	if err != nil {
		return err
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(bufio.NewReaderSize(counter{packed, r, file}, 1<<16))
	if err != nil {
		return failed(0, err)
	}
	scanner, line := bufio.NewScanner(unpacked), 0
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		line++
		if err := do(scanner.Bytes()); err != nil {
			return failed(line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return failed(line+1, err)
	}
	if line == 0 {
		return failed(1, io.ErrUnexpectedEOF)
	}
	return nil
}

// counter reads a compressed file, shows progress and stops with the context.
type counter struct {
	io.Reader
	r    *reading
	file string
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.r.at += int64(n)
	c.r.line.Show("reading "+c.file, float64(c.r.at)/float64(max(c.r.total, 1)))
	return n, cmp.Or(context.Cause(c.r.ctx), err)
}

// numbers calls do with the number in each line, which must be below limit.
func (r *reading) numbers(file string, limit int, do func(n int) error) error {
	return r.lines(file, func(text []byte) error {
		n, err := number(text, limit)
		if err != nil {
			return err
		}
		return do(n)
	})
}

// number reads a whole number in [0, limit).
func number(text []byte, limit int) (int, error) {
	n, err := strconv.ParseUint(string(text), 10, 63)
	if err != nil || n >= uint64(limit) {
		return 0, fmt.Errorf("%.24q is not a whole number in [0, %d)", text, limit)
	}
	return int(n), nil
}
