package ogb

import (
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

	"operator-omm/ommlx/internal/fsx"
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
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(one)))
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

// Open maps a graph that [Conversion.Convert] or [FetchGenerated] wrote into a folder. An error says what is missing or
// does not fit; it wraps [io/fs.ErrNotExist] where there is no graph, or an unfinished one.
func Open(dir string) (*Graph, error) {
	text, err := os.ReadFile(filepath.Join(dir, descriptionFile))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("there is no converted graph in %s: %w", dir, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w); delete it and convert the graph again",
			filepath.Join(dir, descriptionFile), err)
	}
	if d.Format != format {
		return nil, fmt.Errorf("the graph in %s has format %d, and this program reads format %d; delete the folder "+
			"and convert the graph again", dir, d.Format, format)
	}
	if d.Own != d.own() {
		return nil, fmt.Errorf("%s was changed, so that its checksum does not fit; delete the folder and convert the "+
			"graph again", filepath.Join(dir, descriptionFile))
	}
	g := &Graph{
		Name: d.Name, Dir: dir, Archive: d.Archive, Features: d.Features, Classes: d.Classes,
		SelfLoops: d.SelfLoops, Repeated: d.Repeated, sums: d.Sums,
	}
	var open []func() error
	g.close = func() (err error) {
		for _, unmap := range open {
			err = errors.Join(err, unmap())
		}
		*g = Graph{close: func() error { return nil }}
		return err
	}
	for _, f := range []struct {
		name string
		fill func(path string) (func() error, error)
	}{
		{offsetsFile, mapped(&g.Offsets, d.Nodes+1)},
		{neighboursFile, mapped(&g.Neighbours, 2*d.Edges)},
		{featuresFile, mapped(&g.X, d.Nodes*d.Features)},
		{labelsFile, mapped(&g.Labels, d.Nodes)},
		{partsFile, mapped(&g.Parts, d.Nodes)},
	} {
		unmap, err := f.fill(filepath.Join(dir, f.name))
		if err != nil {
			return nil, errors.Join(err, g.close())
		}
		open = append(open, unmap)
	}
	if g.Offsets[0] != 0 || g.Offsets[d.Nodes] != uint64(len(g.Neighbours)) {
		return nil, errors.Join(fmt.Errorf("%s does not fit %s; delete the folder and convert the graph again",
			filepath.Join(dir, offsetsFile), neighboursFile), g.close())
	}
	return g, nil
}

// mapped returns what maps a file of n numbers to x.
func mapped[T numeric](x *[]T, n int) func(path string) (unmap func() error, err error) {
	return func(path string) (func() error, error) {
		var one T
		content, unmap, err := mapFile(path)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read (%w); delete the folder and convert the graph again", path, err)
		}
		if want := n * int(unsafe.Sizeof(one)); len(content) != want {
			return nil, errors.Join(fmt.Errorf("%s has %d bytes, expected %d; delete the folder and convert the graph "+
				"again", path, len(content), want), unmap())
		}
		*x = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(content))), n)
		return unmap, nil
	}
}

// mapFile maps a file into memory for reading.
func mapFile(path string) (content []byte, unmap func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 { // of a graph without edges; nothing to map
		return nil, func() error { return nil }, nil
	}
	content, err = syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return content, func() error { return syscall.Munmap(content) }, nil
}
