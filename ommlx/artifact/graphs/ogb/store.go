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
	"unsafe"

	"omm-go/ommlx/internal/fsx"
)

// The files of a converted graph, in one folder. Numbers are little-endian.
const (
	descriptionFile = "graph.json" // written last: a folder with it is complete
	offsetsFile     = "offsets.u64"
	neighboursFile  = "neighbours.u32"
	featuresFile    = "features.f32"
	labelsFile      = "labels.u16"
	partsFile       = "parts.u8"
)

// format is the version of these files.
const format = 1

type description struct {
	Format    int               `json:"format"`
	Name      string            `json:"name"`
	Nodes     int               `json:"nodes"`
	Edges     int               `json:"edges"`
	Features  int               `json:"features"`
	Classes   int               `json:"classes"`
	SelfLoops int64             `json:"self_loops"`
	Repeated  int64             `json:"repeated"`
	Archive   string            `json:"archive,omitempty"` // SHA-256 of the archive with the text files
	Sums      map[string]string `json:"sums,omitempty"`    // SHA-256 of the array files by name
	Own       string            `json:"own,omitempty"`     // SHA-256 of this description without Own
}

func (d description) own() string {
	d.Own = ""
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // numbers and strings
	}
	return fsx.SHA256Of(text)
}

// numeric is the type of the numbers in an array file.
type numeric interface {
	uint64 | uint32 | float32 | uint16 | Part
}

// bytesOf returns the bytes of an array.
func bytesOf[T numeric](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// Save writes the graph to a folder.
func (g *Graph) Save(dir string) error { return g.save(dir, "") }

// save writes the graph to a folder and records the SHA-256 of its archive, or "" for a graph without one.
func (g *Graph) save(dir, archive string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, descriptionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d := description{Format: format, Name: g.Name, Nodes: g.Nodes(), Edges: g.Edges(), Features: g.Features,
		Classes: g.Classes, SelfLoops: g.SelfLoops, Repeated: g.Repeated, Archive: archive, Sums: map[string]string{}}
	for name, array := range map[string][]byte{offsetsFile: bytesOf(g.Offsets), neighboursFile: bytesOf(g.Neighbours),
		featuresFile: bytesOf(g.X), labelsFile: bytesOf(g.Labels), partsFile: bytesOf(g.Parts)} {
		d.Sums[name] = fsx.SHA256Of(array)
		if err := fsx.Write(filepath.Join(dir, name), array); err != nil {
			return err
		}
	}
	d.Own = d.own()
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(dir, descriptionFile), append(text, '\n'))
}

// open reads a graph that [Graph.Save] wrote and verifies its checksums. The error wraps [fs.ErrNotExist] if the folder
// has no graph or an unfinished one.
func open(dir string) (*Graph, error) {
	text, err := os.ReadFile(filepath.Join(dir, descriptionFile))
	if err != nil {
		return nil, fmt.Errorf("ogb: converted graph: %w", err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil || d.Own != d.own() {
		return nil, altered(filepath.Join(dir, descriptionFile))
	}
	if d.Format != format {
		return nil, fmt.Errorf("ogb: %s: format is %d, want %d; delete the folder and convert the graph again", dir,
			d.Format, format)
	}
	g := &Graph{Name: d.Name, Features: d.Features, Classes: d.Classes, SelfLoops: d.SelfLoops, Repeated: d.Repeated}
	g.Offsets, err = read[uint64](d, dir, offsetsFile, d.Nodes+1, err)
	g.Neighbours, err = read[uint32](d, dir, neighboursFile, 2*d.Edges, err)
	g.X, err = read[float32](d, dir, featuresFile, d.Nodes*d.Features, err)
	g.Labels, err = read[uint16](d, dir, labelsFile, d.Nodes, err)
	g.Parts, err = read[Part](d, dir, partsFile, d.Nodes, err)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// read returns the n numbers of an array file, or the earlier error if there is one.
func read[T numeric](d description, dir, name string, n int, earlier error) ([]T, error) {
	if earlier != nil {
		return nil, earlier
	}
	path := filepath.Join(dir, name)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	x, sum := make([]T, n), sha256.New()
	if _, err := io.ReadFull(io.TeeReader(file, sum), bytesOf(x)); err != nil {
		return nil, altered(path)
	}
	if _, err := io.Copy(sum, file); err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != d.Sums[name] {
		return nil, altered(path)
	}
	return x, nil
}

func altered(path string) error {
	return fmt.Errorf("ogb: %s: damaged; delete the folder and convert the graph again", path)
}
