// Package safetensors writes and reads named tensors in the safetensors format, which Python, Rust and JavaScript also
// read. A file is
//
//	length of the header (uint64, little endian), header (JSON), data,
//
// where the header has one entry per tensor, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}, and
// strings under "__metadata__". Offsets count from the start of the data; the values of a tensor are row-major and
// little endian. Tensors follow each other without gaps.
//
// Source: the format's reference implementation, github.com/huggingface/safetensors (README, "Format"), including its
// limit on the header and its checks.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// File is the content of a file.
type File struct {
	// Tensors are float32, float64, int32, int64 or uint64, of any shape.
	Tensors map[string]*tensors.Tensor
	// Metadata is a set of named strings.
	Metadata map[string]string
}

// entry is a tensor in the header.
type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"` // begin and end
}

const (
	metadataName = "__metadata__"
	lengthBytes  = 8 // of the header's length
	alignment    = 8 // of the data, in bytes, for the widest element type
)

// names of the supported element types.
var names = map[dtypes.DType]string{
	dtypes.Float32: "F32",
	dtypes.Float64: "F64",
	dtypes.Int32:   "I32",
	dtypes.Int64:   "I64",
	dtypes.Uint64:  "U64",
}

// listOfNames returns the supported element types for messages.
func listOfNames() string {
	return fmt.Sprintf("%v", slices.Sorted(maps.Values(names)))
}

// Write writes f to w. The same content gives the same bytes. The error names a tensor whose element type is not
// supported, before anything is written, or that cannot be read; other errors come from w.
func Write(w io.Writer, f File) error {
	// Wide elements first, which aligns every tensor for its element type.
	order := slices.SortedFunc(maps.Keys(f.Tensors), func(a, b string) int {
		return cmp.Or(f.Tensors[b].DType().Size()-f.Tensors[a].DType().Size(), cmp.Compare(a, b))
	})
	header, offset := map[string]any{}, 0
	if len(f.Metadata) > 0 {
		header[metadataName] = f.Metadata
	}
	for _, name := range order {
		t := f.Tensors[name]
		if names[t.DType()] == "" {
			return fmt.Errorf("tensor %q has element type %s, want one of %s", name, t.DType(),
				listOfNames())
		}
		end := offset + t.Size()*t.DType().Size()
		header[name] = entry{names[t.DType()], append([]int{}, t.Shape().Dimensions...), []int{offset, end}}
		offset = end
	}
	head, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if rest := (lengthBytes + len(head)) % alignment; rest > 0 {
		head = append(head, bytes.Repeat([]byte(" "), alignment-rest)...)
	}
	if _, err := w.Write(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head)); err != nil {
		return err
	}
	for _, name := range order {
		if f.Tensors[name].Size() == 0 {
			continue
		}
		var writeErr error
		err := f.Tensors[name].ConstFlatData(func(flat any) { writeErr = binary.Write(w, binary.LittleEndian, flat) })
		if err = errors.Join(err, writeErr); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	return nil
}

// maxHeader is the reference implementation's limit on the header's length, in bytes.
const maxHeader = 100_000_000

// Read reads a whole file from r into tensors in host memory. It returns a one-line error if the file does not follow
// the format or has an element type that [File] does not support. It never allocates more than the file's size,
// whatever the header claims.
func Read(r io.Reader) (File, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return File{}, err
	}
	if len(all) < lengthBytes {
		return File{}, fmt.Errorf("%d bytes are too short for a safetensors file, want at least %d",
			len(all), lengthBytes)
	}
	size, rest := binary.LittleEndian.Uint64(all), all[lengthBytes:]
	if size > min(maxHeader, uint64(len(rest))) {
		return File{}, fmt.Errorf("the header claims %d bytes; the format allows %d, and %d follow; "+
			"the file is cut off or not a safetensors file", size, maxHeader, len(rest))
	}
	head, data := rest[:size], rest[size:]
	if !utf8.Valid(head) {
		return File{}, errors.New("the header is not UTF-8; the file is damaged or not a safetensors file")
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(head, &header); err != nil {
		return File{}, fmt.Errorf("the header is not the JSON of a safetensors file: %w", err)
	}
	f := File{Tensors: map[string]*tensors.Tensor{}}
	if text, there := header[metadataName]; there {
		if err := json.Unmarshal(text, &f.Metadata); err != nil {
			return File{}, fmt.Errorf("the metadata is not a set of named strings: %w", err)
		}
		delete(header, metadataName)
	}
	entries := map[string]entry{}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		var e entry
		if err := json.Unmarshal(header[name], &e); err != nil {
			return File{}, fmt.Errorf("tensor %q: malformed entry in the header: %w", name, err)
		}
		entries[name] = e
	}
	order := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return cmp.Or(slices.Compare(entries[a].Offsets, entries[b].Offsets), cmp.Compare(a, b))
	})
	end := 0
	for _, name := range order {
		if f.Tensors[name], err = entries[name].tensor(data, end); err != nil {
			return File{}, fmt.Errorf("tensor %q %w", name, err)
		}
		end = entries[name].Offsets[1]
	}
	if end < len(data) {
		return File{}, fmt.Errorf("the last %d bytes of the data belong to no tensor", len(data)-end)
	}
	return f, nil
}

// tensor returns the values of an entry, which must begin where the previous one ends, at. Its errors continue a
// sentence that begins with the name of the tensor.
func (e entry) tensor(data []byte, at int) (*tensors.Tensor, error) {
	dtype := dtypes.MapOfNames[e.DType] // has more types, and several names for each
	if name, known := names[dtype]; !known || name != e.DType {
		return nil, fmt.Errorf("has element type %q, want one of %s", e.DType, listOfNames())
	}
	if e.Shape == nil || len(e.Offsets) != 2 {
		return nil, errors.New("has no shape or no pair of offsets in the header")
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin != at || end < begin || end > len(data) {
		return nil, fmt.Errorf("has offsets from %d to %d, want a start at %d, where the previous tensor ends, and an "+
			"end within the %d bytes of data: the file is cut off or damaged", begin, end, at, len(data))
	}
	size := float64(dtype.Size()) // exact, unless it exceeds the size of any file
	for _, d := range e.Shape {
		size *= float64(d)
	}
	if size != float64(end-begin) || slices.ContainsFunc(e.Shape, func(d int) bool { return d < 0 }) {
		return nil, fmt.Errorf("of type %s and shape %v does not fit its %d bytes", e.DType, e.Shape,
			end-begin)
	}
	t := tensors.FromShape(shapes.Make(dtype, e.Shape...))
	if size == 0 {
		return t, nil
	}
	var decodeErr error
	err := t.MutableFlatData(func(flat any) {
		_, decodeErr = binary.Decode(data[begin:end], binary.LittleEndian, flat)
	})
	return t, errors.Join(err, decodeErr)
}
