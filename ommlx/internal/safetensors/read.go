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

// Read reads a whole file from r. The tensors are in host memory. A file that does not follow the format, or has a
// tensor of an element type that is not in [File], is refused with one sentence that says what is wrong; nothing that a
// file claims of itself takes more memory than it has bytes.
func Read(r io.Reader) (File, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return File{}, err
	}
	head, data, err := split(all)
	if err != nil {
		return File{}, err
	}
	entries, metadata, err := parse(head)
	if err != nil {
		return File{}, err
	}
	f := File{Tensors: make(map[string]*tensors.Tensor, len(entries)), Metadata: metadata}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if err := entries[name].validate(len(data)); err != nil {
			return File{}, fmt.Errorf("tensor %q %w", name, err)
		}
	}
	if err := covers(entries, len(data)); err != nil {
		return File{}, err
	}
	for name, e := range entries {
		if f.Tensors[name], err = e.tensor(data); err != nil {
			return File{}, fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	return f, nil
}

// split returns the header and the data.
func split(all []byte) (head, data []byte, err error) {
	if len(all) < lengthBytes {
		return nil, nil, fmt.Errorf("%d bytes are too short for a safetensors file, "+
			"which begins with the %d of a length", len(all), lengthBytes)
	}
	size, rest := binary.LittleEndian.Uint64(all), all[lengthBytes:]
	if size > maxHeader {
		return nil, nil, fmt.Errorf("the header claims %d bytes, of which the format allows %d; "+
			"the file is damaged or not a safetensors file", size, maxHeader)
	}
	if size > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("the header claims %d bytes, but only %d follow; "+
			"the file is cut off or not a safetensors file", size, len(rest))
	}
	return rest[:size], rest[size:], nil
}

// parse reads the header.
func parse(head []byte) (entries map[string]entry, metadata map[string]string, err error) {
	if !utf8.Valid(head) {
		return nil, nil, errors.New("the header is not UTF-8; the file is damaged or not a safetensors file")
	}
	var object map[string]json.RawMessage
	err = json.Unmarshal(head, &object)
	if err == nil && !bytes.HasPrefix(head, []byte("{")) {
		err = errors.New("it does not begin with {")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the header is not the JSON of a safetensors file: %w", err)
	}
	if text, there := object[metadataName]; there {
		if err := json.Unmarshal(text, &metadata); err != nil {
			return nil, nil, fmt.Errorf("the metadata is not a list of strings with names: %w", err)
		}
		delete(object, metadataName)
	}
	entries = make(map[string]entry, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var e entry
		if err := json.Unmarshal(object[name], &e); err != nil {
			return nil, nil, fmt.Errorf("tensor %q is described wrongly in the header: %w", name, err)
		}
		entries[name] = e
	}
	return entries, metadata, nil
}

// validate returns an error that goes on after the tensor's name.
func (e entry) validate(data int) error {
	dtype, known := e.dtype()
	if !known {
		return fmt.Errorf("has the element type %q; only %s can be read", e.DType, listOfNames())
	}
	if e.Shape == nil || len(e.Offsets) != 2 {
		return errors.New("has no shape or no pair of offsets in the header")
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin < 0 || end < begin || end > data {
		return fmt.Errorf("has offsets from %d to %d, which are no part of the %d bytes of data; "+
			"the file is cut off or damaged", begin, end, data)
	}
	size, fits := dtype.Size(), true
	if slices.Contains(e.Shape, 0) {
		size = 0
	}
	for _, d := range e.Shape {
		if d < 0 || size > 0 && size > (end-begin)/d { // divided, not multiplied, so that no dimension overflows
			fits = false
			break
		}
		size *= d
	}
	if !fits || size != end-begin {
		return fmt.Errorf("of type %s and shape %v does not fit the %d bytes that it has", e.DType, e.Shape, end-begin)
	}
	return nil
}

// dtype returns the element type, if it is known.
func (e entry) dtype() (dtypes.DType, bool) {
	for dtype, name := range names {
		if name == e.DType {
			return dtype, true
		}
	}
	return dtypes.InvalidDType, false
}

// covers checks that the tensors, each of which is valid, follow each other and are all of the data.
func covers(entries map[string]entry, data int) error {
	order := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return cmp.Or(slices.Compare(entries[a].Offsets, entries[b].Offsets), cmp.Compare(a, b))
	})
	end, last := 0, ""
	for _, name := range order {
		begin := entries[name].Offsets[0]
		if begin < end {
			return fmt.Errorf("tensors %q and %q overlap: one ends at byte %d of the data, the other begins at %d",
				last, name, end, begin)
		}
		if begin > end {
			return fmt.Errorf("bytes %d to %d of the data, before tensor %q, belong to no tensor", end, begin, name)
		}
		end, last = entries[name].Offsets[1], name
	}
	if end < data {
		return fmt.Errorf("the last %d bytes of the data belong to no tensor", data-end)
	}
	return nil
}

// tensor returns the values of an entry that is valid.
func (e entry) tensor(data []byte) (*tensors.Tensor, error) {
	dtype, _ := e.dtype()
	t := tensors.FromShape(shapes.Make(dtype, e.Shape...))
	if t.Size() == 0 {
		return t, nil
	}
	var decodeErr error
	err := t.MutableFlatData(func(flat any) {
		_, decodeErr = binary.Decode(data[e.Offsets[0]:e.Offsets[1]], binary.LittleEndian, flat)
	})
	return t, errors.Join(err, decodeErr)
}
