package ogb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"operator-omm/ommlx/internal/fsx"
)

// The text files of a graph in the form of the Open Graph Benchmark, below its folder, each compressed by gzip:
// "u,v" for each edge, in one direction; the features of node 0, 1, … row by row; their labels; the number of nodes;
// and the nodes of each part of a split.
const (
	edgesText    = "raw/edge.csv.gz"
	featuresText = "raw/node-feat.csv.gz"
	labelsText   = "raw/node-label.csv.gz"
	nodesText    = "raw/num-node-list.csv.gz"
)

// Conversion says what is converted.
type Conversion struct {
	From    string // folder with the text files
	To      string // folder for the arrays; made where it is missing
	Name    string // of the graph
	Split   string // name of the split: sales_ranking for ogbn-products
	Classes int    // number of classes, 47 for ogbn-products
	// Float16 stores features in half the space, as [Graph].Half. What comes back is off by at most 2⁻¹¹ of a number,
	// or by 2⁻²⁵ if that is more; a number that rounds to 2¹⁶ or more is an error.
	Float16 bool
	// Progress, if not nil, is told which file is read, and from 0 to 1 how far.
	Progress func(file string, fraction float64)

	archive string // SHA-256 of the file that the text files came in; empty: not known
	want    counts // what the text files must have; zero: anything
}

// Convert reads the text files and writes the graph for [Open]. It streams, on all cores, and holds at most 4 GiB. A
// conversion that was cut off goes on with the array that was not finished; one that was finished, from the same files,
// is left as it is. Two conversions into one folder must not run at the same time.
//
// Self-loops are left out, and so are edges that are there already, in this direction or the other; both are counted.
// A node may have no edge. An error names file and line: of an edge to a node that does not exist, a negative number,
// a node without features or label, a label that is not below the number of classes, a node in two parts, an empty
// file.
func (c Conversion) Convert(ctx context.Context) error {
	if c.Classes < 1 || c.Classes > math.MaxUint16+1 {
		return fmt.Errorf("a graph cannot have %d classes; give 1 to %d", c.Classes, math.MaxUint16+1)
	}
	from, err := c.sources()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.To, 0o755); err != nil {
		return err
	}
	d, finished, err := c.begin(from)
	if err != nil || finished {
		return err
	}
	for _, stage := range []struct {
		name string
		run  func(ctx context.Context, d *description) error
	}{{"nodes", c.nodes}, {"edges", c.edges}, {"features", c.features}, {"labels", c.labels}, {"parts", c.parts}} {
		if slices.Contains(d.Done, stage.name) {
			continue
		}
		if err := stage.run(ctx, d); err != nil {
			return err
		}
		d.Done = append(d.Done, stage.name)
		if err := c.describe(begunFile, d); err != nil {
			return err
		}
	}
	if err := c.want.check(d.counts()); err != nil && c.want != (counts{}) {
		return fmt.Errorf("the text files in %s are not %s: %w", c.From, c.Name, err)
	}
	d.Done = nil
	if err := c.describe(descriptionFile, d); err != nil {
		return err
	}
	return os.Remove(filepath.Join(c.To, begunFile))
}

// files are the names of the text files below their folder, in the order in which they are read.
func (c Conversion) files() []string {
	files := []string{nodesText, edgesText, featuresText, labelsText}
	for _, part := range c.splits() {
		files = append(files, part.file)
	}
	return files
}

// sources are the text files as they are now.
func (c Conversion) sources() (all []source, err error) {
	for _, file := range c.files() {
		info, err := os.Stat(filepath.Join(c.From, file))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, fmt.Errorf("%s has no %s (%w); give the folder of the text files, the one with raw and split",
				c.From, file, fs.ErrNotExist)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, source{file, info.Size(), info.ModTime().UnixNano()})
	}
	return all, nil
}

type splitFile struct {
	file string
	part Part
}

func (c Conversion) splits() []splitFile {
	of := func(name string) string { return "split/" + c.Split + "/" + name + ".csv.gz" }
	return []splitFile{{of("train"), Training}, {of("valid"), Validation}, {of("test"), Test}}
}

// begunFile describes an unfinished conversion.
const begunFile = "begun.json"

// begin returns the description of a finished conversion of the same files, of one that goes on, or a new one. What
// there is of other files goes away.
func (c Conversion) begin(from []source) (d *description, finished bool, err error) {
	same := func(name string) bool {
		d = &description{}
		text, err := os.ReadFile(filepath.Join(c.To, name))
		return err == nil && json.Unmarshal(text, d) == nil && d.Format == format && slices.Equal(d.From, from) &&
			d.Name == c.Name && d.Classes == c.Classes && d.Float16 == c.Float16
	}
	if same(descriptionFile) {
		return d, true, nil
	}
	left, err := filepath.Glob(filepath.Join(c.To, "*"+fsx.Unfinished)) // by processes that were killed
	if err != nil {
		return nil, false, err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return nil, false, err
		}
	}
	if same(begunFile) {
		return d, false, nil
	}
	for _, name := range []string{descriptionFile, begunFile, offsetsFile, neighboursFile, featuresFile, halvesFile,
		labelsFile, partsFile} {
		if err := os.Remove(filepath.Join(c.To, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
	}
	d = &description{Format: format, Name: c.Name, Classes: c.Classes, Float16: c.Float16, Archive: c.archive,
		From: from}
	return d, false, c.describe(begunFile, d)
}

func (c Conversion) describe(name string, d *description) error {
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(c.To, name), append(text, '\n'))
}

// read scans a text file and tells how far it is.
func read[T any](ctx context.Context, c Conversion, file string, parse func(block) (T, error),
	take func(T) error) error {
	return scan(ctx, filepath.Join(c.From, file), func(fraction float64) {
		if c.Progress != nil {
			c.Progress(file, fraction)
		}
	}, parse, take)
}
