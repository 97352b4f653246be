package ogb

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"unsafe"

	"omm-go/ommlx/internal/fsx"
)

// The files of a converted graph, in one folder. Numbers are little-endian, as are the machines that this runs on.
const (
	descriptionFile = "graph.json" // written last: a folder with it is complete
	offsetsFile     = "offsets.u64"
	neighboursFile  = "neighbours.u32"
	featuresFile    = "features.f32"
	labelsFile      = "labels.u16"
	partsFile       = "parts.u8"
)

// format counts the changes of these files.
const format = 1

// description is graph.json.
type description struct {
	Format    int    `json:"format"`
	Name      string `json:"name"`
	Nodes     int    `json:"nodes"`
	Edges     int    `json:"edges"`
	Features  int    `json:"features"`
	Classes   int    `json:"classes"`
	SelfLoops int64  `json:"self_loops"`
	Repeated  int64  `json:"repeated"`
	Archive   string `json:"archive,omitempty"` // SHA-256 of what the text files came in
	// Sums are the SHA-256 of the array files by their names, as they were written.
	Sums map[string]string `json:"sums,omitempty"`
	Own  string            `json:"own,omitempty"` // SHA-256 of all of this without it
}

// own is what Own must be.
func (d description) own() string {
	d.Own = ""
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // numbers and strings
	}
	return fsx.SHA256Of(text)
}

// numeric is what files hold.
type numeric interface {
	uint64 | uint32 | float32 | uint16 | Part
}

// bytesOf are the bytes of an array.
func bytesOf[T numeric](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// Verify compares the array files with the sums that were kept when they were written. It reads all of them. The error
// names the file that was altered.
func (g *Graph) Verify() error {
	for _, name := range slices.Sorted(maps.Keys(g.sums)) {
		path := filepath.Join(g.Dir, name)
		sum, err := fsx.SHA256(path)
		if err != nil {
			return err
		}
		if sum != g.sums[name] {
			return fmt.Errorf("%s is altered: SHA-256 is %s, expected %s; delete the folder and convert the graph "+
				"again", path, sum, g.sums[name])
		}
	}
	return nil
}

// Open maps a graph that [Text.Convert] or [FetchGenerated] wrote into a folder. An error says what is missing or does
// not fit; it wraps [io/fs.ErrNotExist] where there is no graph, or an unfinished one.
func Open(dir string) (*Graph, error) {
	path := filepath.Join(dir, descriptionFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("there is no converted graph in %s: %w", dir, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	var d description
	var g *Graph
	if err = json.Unmarshal(text, &d); err != nil {
		err = fmt.Errorf("%s cannot be read (%w)", path, err)
	} else if d.Format != format {
		err = fmt.Errorf("the graph in %s has format %d, and this program reads format %d", dir, d.Format, format)
	} else if d.Own != d.own() {
		err = fmt.Errorf("%s was changed, so that its checksum does not fit", path)
	} else {
		g, err = d.open(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; delete the folder and convert the graph again", err)
	}
	return g, nil
}

// open maps the arrays.
func (d description) open(dir string) (*Graph, error) {
	g := &Graph{
		Name: d.Name, Dir: dir, Archive: d.Archive, Features: d.Features, Classes: d.Classes,
		SelfLoops: d.SelfLoops, Repeated: d.Repeated, sums: d.Sums,
	}
	err := cmp.Or(mapTo(&g.Offsets, g, offsetsFile, d.Nodes+1), mapTo(&g.Neighbours, g, neighboursFile, 2*d.Edges),
		mapTo(&g.X, g, featuresFile, d.Nodes*d.Features), mapTo(&g.Labels, g, labelsFile, d.Nodes),
		mapTo(&g.Parts, g, partsFile, d.Nodes))
	if err == nil && (g.Offsets[0] != 0 || g.Offsets[d.Nodes] != uint64(len(g.Neighbours))) {
		err = fmt.Errorf("%s does not fit %s", filepath.Join(dir, offsetsFile), neighboursFile)
	}
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// mapTo maps a file of n numbers of a graph to x.
func mapTo[T numeric](x *[]T, g *Graph, name string, n int) error {
	path := filepath.Join(g.Dir, name)
	content, err := mapFile(path)
	if err != nil {
		return fmt.Errorf("%s cannot be read (%w)", path, err)
	}
	g.mapped = append(g.mapped, content)
	if want := n * int(unsafe.Sizeof(*new(T))); len(content) != want {
		return fmt.Errorf("%s has %d bytes, expected %d", path, len(content), want)
	}
	*x = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(content))), n)
	return nil
}

// mapFile maps a file into memory for reading; nil is that of an empty one, of a graph without edges.
func mapFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	return syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
}
