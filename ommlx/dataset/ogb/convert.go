package ogb

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
)

// maxClasses is how many classes a graph can have.
const maxClasses = math.MaxUint16 + 1

// Conversion says what is converted.
type Conversion struct {
	From    string // folder with the text files
	To      string // folder for the arrays; made where it is missing
	Name    string // of the graph
	Split   string // name of the split: sales_ranking for ogbn-products
	Classes int    // number of classes, 47 for ogbn-products; 0: what the largest label needs
	// Progress, if not nil, is told which file is read, and from 0 to 1 how far all of them are.
	Progress func(file string, fraction float64)

	archive fs.FS  // has the text files in the place of the folder; nil: the folder
	sum     string // SHA-256 of that archive
	want    counts // what the text files must have; zero: anything
}

// Convert reads the text files once and writes the graph for [Open], in the place of one that is there. It streams, and
// holds at most 4 GiB. Two conversions into one folder must not run at the same time; one that was cut off leaves
// nothing that is opened.
//
// Self-loops are left out, and so are edges that are there already, in this direction or the other; both are counted.
// A node may have no edge. An error names file and line: of an edge to a node that does not exist, a negative number, a
// node without features or label, a label that is not below the number of classes, a node in two parts, an empty
// file; or says that the disk has too little space.
func (c Conversion) Convert(ctx context.Context) error {
	if c.Classes < 0 || c.Classes > maxClasses {
		return fmt.Errorf("a graph cannot have %d classes; give 1 to %d, or 0 for as many as the labels need",
			c.Classes, maxClasses)
	}
	from, err := c.open()
	if err != nil {
		return err
	}
	d, err := newDraft("the converted graph", c.Name, c.To, c.want)
	if err != nil {
		return err
	}
	d.Classes, d.Archive = c.Classes, c.sum
	for _, read := range []func(context.Context, *texts, *draft) error{c.nodes, c.features, c.edges, c.labels,
		c.parts} {
		if err := read(ctx, from, d); err != nil {
			return err
		}
	}
	return d.finish()
}

// open makes sure that all text files are there.
func (c Conversion) open() (*texts, error) {
	t := &texts{FS: c.archive, from: c.From, progress: c.Progress}
	if t.FS == nil {
		t.FS = os.DirFS(c.From)
	}
	for _, file := range files(c.Split) {
		info, err := fs.Stat(t, file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, &unusable{fmt.Errorf("%s has no %s (%w); give the folder of the text files, the one with "+
				"raw and split", c.From, file, fs.ErrNotExist)}
		}
		if err != nil {
			return nil, err
		}
		t.total += info.Size()
	}
	return t, nil
}

// wanted returns an error where a number of the graph is not the wanted one.
func (c Conversion) wanted(what string, got, want int64) error {
	if c.want == (counts{}) || got == want {
		return nil
	}
	return &unusable{fmt.Errorf("the text files in %s are not %s: it has %d %s, expected %d", c.From, c.Name, got, what,
		want)}
}

// nodes reads the number of nodes.
func (c Conversion) nodes(ctx context.Context, from *texts, d *draft) error {
	err := from.numbers(ctx, nodesText, "the number of nodes", math.MaxUint32, func(n int) error {
		if n < 1 || d.Nodes > 0 {
			return errors.New("the file must have one line, the number of nodes of one graph, at least 1")
		}
		d.Nodes = n
		return nil
	})
	return cmp.Or(err, c.wanted("nodes", int64(d.Nodes), int64(c.want.nodes)))
}

// features reads the features and writes them as they come; the first row tells how many a node has.
func (c Conversion) features(ctx context.Context, from *texts, d *draft) error {
	nodes := 0
	err := d.put(featuresFile, func(out io.Writer) error {
		var row []float32
		return from.lines(ctx, featuresText, func(text []byte) (err error) {
			if row, err = appendRow(row[:0], text); err == nil && nodes > 0 && len(row) != d.Features {
				err = fmt.Errorf("it has %d features, where line 1 has %d", len(row), d.Features)
			}
			if err != nil {
				return err
			}
			nodes, d.Features = nodes+1, len(row)
			_, err = out.Write(bytesOf(row))
			return err
		})
	})
	return cmp.Or(err, c.wanted("features", int64(d.Features), int64(c.want.features)),
		c.oneForEach(featuresText, "features", nodes, d))
}

// edges reads the edges and writes the compressed rows.
func (c Conversion) edges(ctx context.Context, from *texts, d *draft) error {
	lines := int64(0)
	err := from.lines(ctx, edgesText, func(text []byte) error {
		lines++
		first, second, found := bytes.Cut(text, []byte{','})
		if !found {
			return fmt.Errorf("%s is no edge; it must be two numbers with a comma between them", shown(text))
		}
		u, err := number(first, "the edge's first node", d.Nodes)
		if err != nil {
			return err
		}
		v, err := number(second, "the edge's second node", d.Nodes)
		if err != nil {
			return err
		}
		return d.add(u, v)
	})
	if err := cmp.Or(err, c.wanted("edges", lines, c.want.edges)); err != nil {
		return err
	}
	return d.rows()
}

// labels reads the labels.
func (c Conversion) labels(ctx context.Context, from *texts, d *draft) error {
	var all []uint16
	err := from.numbers(ctx, labelsText, "the label", cmp.Or(c.Classes, maxClasses), func(label int) error {
		d.Classes = max(d.Classes, label+1)
		all = append(all, uint16(label))
		return nil
	})
	if err := cmp.Or(err, c.oneForEach(labelsText, "labels", len(all), d)); err != nil {
		return err
	}
	return d.put(labelsFile, array(all))
}

// oneForEach returns an error unless a file had a line for each node.
func (c Conversion) oneForEach(file, what string, lines int, d *draft) error {
	if lines == d.Nodes {
		return nil
	}
	return fmt.Errorf("%s has %s of %d nodes, but there are %d nodes by %s; get both files again",
		filepath.Join(c.From, file), what, lines, d.Nodes, nodesText)
}

// parts reads the split.
func (c Conversion) parts(ctx context.Context, from *texts, d *draft) error {
	all := make([]Part, d.Nodes)
	for i, file := range parts(c.Split) {
		err := from.numbers(ctx, file, "the node", d.Nodes, func(node int) error {
			if all[node] != None {
				return fmt.Errorf("node %d is in a part of the split already; parts must not overlap", node)
			}
			all[node] = Training + Part(i)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return d.put(partsFile, array(all))
}
