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
	"slices"
	"strings"
	"syscall"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/say"
)

// maxClasses is how many classes a graph can have.
const maxClasses = math.MaxUint16 + 1

// Text is a graph in the text files of the Open Graph Benchmark: ogbn-products, ogbn-arxiv, or one of the reader's own.
type Text struct {
	Name    string // of the graph, and of its folder in the data folder, see [dataset.Dir]
	From    string // folder with the folders raw and split; it stays as it is
	Split   string // name of the split; empty: the only one that there is
	Classes int    // number of classes; 0: what the largest label needs
}

// Convert reads the text files once and makes the arrays of [Open] in the folder arrays of the graph's data folder, in
// the place of others; one that was cut off leaves nothing that is opened. It writes to out (nil for silence) how far
// it is. It streams, and holds at most 4 GiB. Split and Classes of ogbn-products are its own, and its numbers must be
// the published ones, see [OpenProducts]; where such arrays are there already, nothing is done.
//
// Self-loops are left out, and so are edges that are there already, in this direction or the other; both are counted.
// A node may have no edge. An error names file and line: of an edge to a node that does not exist, a negative number, a
// node without features or label, a label that is not below the number of classes, a node in two parts, an empty
// file; or says that the name is taken or no plain folder name, that there are several splits, or that the disk has too
// little space.
func (t Text) Convert(ctx context.Context, out io.Writer) error {
	named := func(c dataset.Collection) bool { return c.Kind == t.Name }
	switch {
	case t.Name == generatedKind || slices.ContainsFunc(dataset.Collections(), named):
		return fmt.Errorf("the name %q is that of other data; give the graph another one", t.Name)
	case t.Name != ProductsName && t.Split == "":
		var err error
		if t.Split, err = t.onlySplit(); err != nil {
			return err
		}
	}
	return inFolder(ctx, t.Name, out, func(dir string, out io.Writer) error {
		c := t.into(filepath.Join(dir, arraysFolder))
		if t.Name == ProductsName {
			if there(out) {
				return nil
			}
			c = productsFrom(t.From, dir)
		}
		return c.shown(ctx, out)
	})
}

func (t Text) onlySplit() (string, error) {
	entries, err := os.ReadDir(filepath.Join(t.From, "split"))
	if err != nil {
		return "", fmt.Errorf("%s has no folder split (%w); give the folder of the text files, the one with raw and "+
			"split", t.From, err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s has the splits %s; name one", filepath.Join(t.From, "split"),
			strings.Join(names, ", "))
	}
	return names[0], nil
}

// conversion reads the text files, one after the other, and writes the arrays.
type conversion struct {
	Text
	fs.FS                                           // has the text files
	to          string                              // folder for the arrays; made where it is missing
	archive     string                              // SHA-256 of the archive that has the text files; empty: none
	want        counts                              // what the text files must have; zero: anything
	progress    func(file string, fraction float64) // told which file is read, and how far all of them are
	total, read int64                               // bytes of all files, compressed; of these, bytes that were read
}

func (t Text) into(dir string) *conversion {
	return &conversion{Text: t, FS: os.DirFS(t.From), to: dir, progress: func(string, float64) {}}
}

// shown converts, and writes to out how far it is and what came of it.
func (c *conversion) shown(ctx context.Context, out io.Writer) error {
	line := say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}
	c.progress = func(file string, fraction float64) { line.Show("converting "+file, fraction) }
	err := c.run(ctx)
	line.Clear()
	if err != nil {
		return explained(ctx, filepath.Dir(c.to), err)
	}
	g, err := Open(c.to)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", c.to, g)
	return g.Close()
}

func (c *conversion) run(ctx context.Context) error {
	if c.Classes < 0 || c.Classes > maxClasses {
		return fmt.Errorf("a graph cannot have %d classes; give 1 to %d, or 0 for as many as the labels need",
			c.Classes, maxClasses)
	}
	c.total, c.read = 0, 0
	for _, file := range files(c.Split) {
		info, err := fs.Stat(c, file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return &unusable{fmt.Errorf("%s has no %s (%w); give the folder of the text files, the one with raw and "+
				"split", c.From, file, fs.ErrNotExist)}
		}
		if err != nil {
			return err
		}
		c.total += info.Size()
	}
	d, err := newDraft("the converted graph", c.Name, c.to, c.want)
	if err != nil {
		return err
	}
	d.Classes, d.Archive = c.Classes, c.archive
	for _, read := range []func(context.Context, *draft) error{c.nodes, c.features, c.edges, c.labels, c.parts} {
		if err := read(ctx, d); err != nil {
			return err
		}
	}
	return d.finish()
}

// wanted returns an error where a number of the graph is not the wanted one.
func (c *conversion) wanted(what string, got, want int64) error {
	if c.want == (counts{}) || got == want {
		return nil
	}
	return &unusable{fmt.Errorf("the text files in %s are not %s: it has %d %s, expected %d", c.From, c.Name, got, what,
		want)}
}

func (c *conversion) nodes(ctx context.Context, d *draft) error {
	err := c.numbers(ctx, nodesText, "the number of nodes", math.MaxUint32, func(n int) error {
		if n < 1 || d.Nodes > 0 {
			return errors.New("the file must have one line, the number of nodes of one graph, at least 1")
		}
		d.Nodes = n
		return nil
	})
	return cmp.Or(err, c.wanted("nodes", int64(d.Nodes), int64(c.want.nodes)))
}

// features writes the features as they come; the first row tells how many a node has.
func (c *conversion) features(ctx context.Context, d *draft) error {
	nodes := 0
	err := d.put(featuresFile, func(out io.Writer) error {
		var row []float32
		return c.lines(ctx, featuresText, func(text []byte) (err error) {
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

func (c *conversion) edges(ctx context.Context, d *draft) error {
	lines := int64(0)
	err := c.lines(ctx, edgesText, func(text []byte) error {
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

func (c *conversion) labels(ctx context.Context, d *draft) error {
	var all []uint16
	err := c.numbers(ctx, labelsText, "the label", cmp.Or(c.Classes, maxClasses), func(label int) error {
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
func (c *conversion) oneForEach(file, what string, lines int, d *draft) error {
	if lines == d.Nodes {
		return nil
	}
	return fmt.Errorf("%s has %s of %d nodes, but there are %d nodes by %s; get both files again",
		filepath.Join(c.From, file), what, lines, d.Nodes, nodesText)
}

func (c *conversion) parts(ctx context.Context, d *draft) error {
	all := make([]Part, d.Nodes)
	for i, file := range parts(c.Split) {
		err := c.numbers(ctx, file, "the node", d.Nodes, func(node int) error {
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
