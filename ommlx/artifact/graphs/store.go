package graphs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unsafe"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/sparse"
)

// storedFile is the file of a converted graph in its data folder: a header in one line of JSON, the arrays of the
// [Dataset] with little-endian numbers, and the SHA-256 of all that.
const storedFile = "graph.bin"

// format is the version of the file.
const format = 2

type header struct {
	Format   int    `json:"format"`
	Name     string `json:"name"`
	Nodes    int    `json:"nodes"`
	Edges    int    `json:"edges"`
	Features int    `json:"features"`
	Classes  int    `json:"classes"`
}

// arrays returns the memory of the arrays in their order in the file.
func (d *Dataset) arrays() [][]byte {
	return [][]byte{memory(d.Offsets), memory(d.Neighbours), memory(d.X), memory(d.Labels), memory(d.Parts)}
}

func memory[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// save writes the graph to its data folder and prints the path.
func (d *Dataset) save(folder string, out io.Writer) error {
	path := filepath.Join(folder, storedFile)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := fsx.Fill(path, func(file io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(file, sum)
		err := json.NewEncoder(both).Encode(header{format, d.Name, d.Nodes(), d.Edges(), d.Features, d.Classes})
		for _, array := range d.arrays() {
			if err == nil {
				_, err = both.Write(array)
			}
		}
		if err == nil {
			_, err = file.Write(sum.Sum(nil))
		}
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
		return nil, errors.New("damaged")
	}
	line, rest, _ := bytes.Cut(content[:end], []byte{'\n'})
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, err
	}
	if h.Format != format {
		return nil, fmt.Errorf("format is %d, want %d", h.Format, format)
	}
	d := &Dataset{Name: h.Name, Features: h.Features, Classes: h.Classes,
		Adjacency: sparse.Adjacency{Offsets: make([]uint64, h.Nodes+1), Neighbours: make([]uint32, 2*h.Edges)},
		X:         make([]float32, h.Nodes*h.Features), Labels: make([]uint16, h.Nodes), Parts: make([]Part, h.Nodes)}
	for _, array := range d.arrays() {
		rest = rest[copy(array, rest):]
	}
	return d, nil
}
