package graphs

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"omm-go/ommlx/artifact/graphs/sparse"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// Dataset is an undirected graph without self-loops or multiple edges. Its nodes have features, labels and a split.
type Dataset struct {
	Features int // d, the number of features of a node
	Classes  int // C

	sparse.Adjacency
	X      []float32 // [N, d], the features
	Labels []int     // [N], each below C
	Parts  []Part    // [N]
}

// Part is a part of a split.
type Part uint8

// The parts of a split. Nodes that the split does not list are in None.
const (
	None Part = iota
	Training
	Validation
	Test
)

// Of lists the nodes of a part, ascending.
func (d *Dataset) Of(p Part) (nodes []int) {
	for i, of := range d.Parts {
		if of == p {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// String returns a summary such as "5 nodes, 4 edges, 2 features, 3 classes".
func (d *Dataset) String() string {
	return fmt.Sprintf("%d nodes, %d edges, %d features, %d classes", d.Nodes(), d.Edges(), d.Features, d.Classes)
}

// storedFile is the file of a converted graph in its data folder: a [Dataset] by encoding/gob, and the SHA-256 of that.
const storedFile = "graph.gob"

// save writes the graph to a data folder and prints the path.
func (d *Dataset) save(folder string, out io.Writer) error {
	path := filepath.Join(folder, storedFile)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := fsx.Fill(path, func(file io.Writer) error {
		sum := sha256.New()
		if err := gob.NewEncoder(io.MultiWriter(file, sum)).Encode(d); err != nil {
			return err
		}
		_, err := file.Write(sum.Sum(nil))
		return err
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", path, d)
	}
	return err
}

// decode reads what save wrote and verifies the checksum.
func decode(content []byte) (*Dataset, error) {
	end := max(0, len(content)-sha256.Size)
	if sum := sha256.Sum256(content[:end]); !bytes.Equal(sum[:], content[end:]) {
		return nil, errors.New(storedFile + " is damaged")
	}
	d := new(Dataset)
	return d, gob.NewDecoder(bytes.NewReader(content[:end])).Decode(d)
}

// Open reads [ProductsName] from its [run.DataFolder], where [GetProducts] puts it, and [DebianName] from the program.
// If a graph is not there, the error wraps [fs.ErrNotExist].
func Open(name string) (*Dataset, error) {
	if name == DebianName {
		return readDebian(debianSnapshot)
	}
	folder, err := run.DataFolder(name)
	if err != nil {
		return nil, err
	}
	var d *Dataset
	content, err := os.ReadFile(filepath.Join(folder, storedFile))
	if err == nil {
		d, err = decode(content)
	}
	if err != nil {
		return nil, fmt.Errorf("graphs: reading %s: %w; run `omm data get %s`", name, err, name)
	}
	return d, nil
}
