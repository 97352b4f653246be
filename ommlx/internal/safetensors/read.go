package safetensors

import (
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

// maxHeader is the reference implementation's limit on the header, in bytes.
const maxHeader = 100_000_000

// Read reads a whole file from r. The tensors are in host memory. A file that does not follow the format, or has a
// tensor of an element type that is not in [File], is refused with one sentence that says what is wrong; nothing that a
// file claims of itself takes more memory than it has bytes.
func Read(r io.Reader) (File, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return File{}, err
	}
	if len(all) < lengthBytes {
		return File{}, fmt.Errorf("%d bytes are too short for a safetensors file, which begins with the %d of a length",
			len(all), lengthBytes)
	}
	size, rest := binary.LittleEndian.Uint64(all), all[lengthBytes:]
	if size > min(maxHeader, uint64(len(rest))) {
		return File{}, fmt.Errorf("the header claims %d bytes, of which the format allows %d, and %d follow; "+
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
			return File{}, fmt.Errorf("the metadata is not a list of strings with names: %w", err)
		}
		delete(header, metadataName)
	}
	entries := map[string]entry{}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		var e entry
		if err := json.Unmarshal(header[name], &e); err != nil {
			return File{}, fmt.Errorf("tensor %q is described wrongly in the header: %w", name, err)
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

// tensor returns the values of an entry, which must begin where the one before it ends. The error goes on after its
// name.
func (e entry) tensor(data []byte, at int) (*tensors.Tensor, error) {
	dtype := dtypes.InvalidDType
	for known, name := range names {
		if name == e.DType {
			dtype = known
		}
	}
	if dtype == dtypes.InvalidDType {
		return nil, fmt.Errorf("has the element type %q; only %s can be read", e.DType, listOfNames())
	}
	if e.Shape == nil || len(e.Offsets) != 2 {
		return nil, errors.New("has no shape or no pair of offsets in the header")
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin != at || end < begin || end > len(data) {
		return nil, fmt.Errorf("has offsets from %d to %d; it must begin at %d, where the one before it ends, and the "+
			"data have %d bytes: the file is cut off or damaged", begin, end, at, len(data))
	}
	size := float64(dtype.Size()) // exact, unless it is more than any file has
	for _, d := range e.Shape {
		size *= float64(d)
	}
	if size != float64(end-begin) || slices.ContainsFunc(e.Shape, func(d int) bool { return d < 0 }) {
		return nil, fmt.Errorf("of type %s and shape %v does not fit the %d bytes that it has", e.DType, e.Shape,
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
