package ogb

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/sparse"
)

// maxMemory is what the edges of a draft take at most, in bytes; maxHeld is what it holds of that, since what it has
// given up may be as much before the garbage collector comes.
const (
	maxMemory = 4 << 30
	maxHeld   = maxMemory / 2
)

// block is how many edges, or nodes, are worked on at once.
const block = 1 << 16

// draft is a graph that is written into a folder, one array after the other.
type draft struct {
	description
	dir   string
	edges *sparse.Builder
	ends  []uint32 // of edges that the builder has not yet
	held  int64    // bytes of all edges: 16 for each, and 12 for each node
}

// newDraft makes the folder, removes what was left there, the description first, and makes sure that a graph with these
// counts fits on the disk; what names it in the error.
func newDraft(what, name, dir string, of counts) (*draft, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	left, err := fs.Glob(os.DirFS(dir), "*"+fsx.Unfinished) // by processes that were killed
	if err != nil {
		return nil, err
	}
	arrays := []string{descriptionFile, offsetsFile, neighboursFile, featuresFile, labelsFile, partsFile}
	for _, name := range append(arrays, left...) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	d := &draft{description: description{Format: format, Name: name, Sums: map[string]string{}}, dir: dir}
	return d, dataset.CheckSpace(dir, what, of.bytes())
}

// add takes an edge between nodes that exist.
func (d *draft) add(u, v int) error {
	if d.edges == nil {
		d.edges, d.held = sparse.NewBuilder(d.Nodes), int64(12*d.Nodes)
	}
	if d.held += 16; d.held > maxHeld {
		return fmt.Errorf("there are too many edges: with %d nodes they would take more than %d GiB of memory",
			d.Nodes, maxMemory>>30)
	}
	if d.ends = append(d.ends, uint32(u), uint32(v)); len(d.ends) >= 2*block {
		d.edges.Add(d.ends)
		d.ends = make([]uint32, 0, 2*block)
	}
	return nil
}

// rows writes the edges, of which there is one at least, as compressed rows.
func (d *draft) rows() error {
	d.edges.Add(d.ends)
	d.SelfLoops = d.edges.Loops
	a, repeated := d.edges.Build()
	d.Edges, d.Repeated = a.Edges(), repeated
	if err := d.put(neighboursFile, array(a.Neighbours)); err != nil {
		return err
	}
	return d.put(offsetsFile, array(a.Offsets))
}

// put writes an array file, and keeps its sum.
func (d *draft) put(name string, fill func(out io.Writer) error) error {
	sum := sha256.New()
	err := fsx.Fill(filepath.Join(d.dir, name), func(out io.Writer) error { return fill(io.MultiWriter(out, sum)) })
	d.Sums[name] = hex.EncodeToString(sum.Sum(nil))
	return err
}

// array is what puts a whole array.
func array[T numeric](x []T) func(out io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(bytesOf(x))
		return err
	}
}

// finish writes the description, with which the graph is there.
func (d *draft) finish() error {
	d.Own = d.own()
	text, err := json.MarshalIndent(d.description, "", " ")
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(d.dir, descriptionFile), append(text, '\n'))
}
