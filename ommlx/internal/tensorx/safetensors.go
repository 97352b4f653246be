package tensorx

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Safetensors is the content of a file of named tensors, which Python, Rust and JavaScript also read. The file is
//
//	length of the header (uint64, little endian), header (JSON), data,
//
// where the header has one entry per tensor, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}, and
// strings under "__metadata__". Offsets count from the start of the data; the values of a tensor are row-major and
// little endian. Tensors follow each other without gaps.
//
// Source: github.com/huggingface/safetensors (README, "Format").
type Safetensors struct {
	Tensors  map[string]*tensors.Tensor // float32, float64, int32, int64 or uint64, of any shape
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
	lengthBytes  = 8 // of the header's length; the data are aligned to as many
)

// dtypeNames are the supported element types.
var dtypeNames = map[dtypes.DType]string{
	dtypes.Float32: "F32",
	dtypes.Float64: "F64",
	dtypes.Int32:   "I32",
	dtypes.Int64:   "I64",
	dtypes.Uint64:  "U64",
}

// Write writes the file. The same content gives the same bytes. An unsupported element type is an error, before
// anything is written.
func (f Safetensors) Write(w io.Writer) error {
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
		dtype, known := dtypeNames[t.DType()]
		if !known {
			return fmt.Errorf("tensor %q: unsupported element type %s", name, t.DType())
		}
		end := offset + t.Size()*t.DType().Size()
		header[name] = entry{dtype, append([]int{}, t.Shape().Dimensions...), []int{offset, end}}
		offset = end
	}
	head, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if rest := len(head) % lengthBytes; rest > 0 {
		head = append(head, bytes.Repeat([]byte(" "), lengthBytes-rest)...)
	}
	if _, err := w.Write(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head)); err != nil {
		return err
	}
	for _, name := range order {
		var writeErr error
		err := f.Tensors[name].ConstFlatData(func(flat any) { writeErr = binary.Write(w, binary.LittleEndian, flat) })
		if err = errors.Join(err, writeErr); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	return nil
}

// Sum returns the SHA-256 of the file, in hexadecimal.
func (f Safetensors) Sum() (string, error) {
	hash := sha256.New()
	err := f.Write(hash)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// ReadSafetensors reads a file into tensors in host memory. It returns a one-line error if the file does not follow the
// format or has an unsupported element type. It never allocates more than the file's size.
func ReadSafetensors(r io.Reader) (Safetensors, error) {
	f := Safetensors{Tensors: map[string]*tensors.Tensor{}}
	all, err := io.ReadAll(r)
	if err != nil {
		return f, err
	}
	if len(all) < lengthBytes {
		return f, fmt.Errorf("safetensors: file has %d bytes, want at least %d", len(all), lengthBytes)
	}
	size, rest := binary.LittleEndian.Uint64(all), all[lengthBytes:]
	if size > uint64(len(rest)) {
		return f, fmt.Errorf("safetensors: header of %d bytes in a file of %d; truncated or of another format", size,
			len(all))
	}
	head, data := rest[:size], rest[size:]
	var others struct {
		Metadata map[string]string `json:"__metadata__"`
	}
	var entries map[string]entry // with the metadata, whose fields differ
	if err := cmp.Or(json.Unmarshal(head, &others), json.Unmarshal(head, &entries)); err != nil {
		return f, fmt.Errorf("safetensors: header: %w", err)
	}
	f.Metadata = others.Metadata
	delete(entries, metadataName)
	order := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return slices.Compare(entries[a].Offsets, entries[b].Offsets)
	})
	end := 0
	for _, name := range order {
		if f.Tensors[name], err = entries[name].tensor(data, end); err != nil {
			return f, fmt.Errorf("tensor %q: %w", name, err)
		}
		end = entries[name].Offsets[1]
	}
	if end < len(data) {
		return f, fmt.Errorf("safetensors: %d bytes after the last tensor", len(data)-end)
	}
	return f, nil
}

// tensor returns the values of an entry, which must begin at the end of the previous one.
func (e entry) tensor(data []byte, previous int) (*tensors.Tensor, error) {
	dtype := dtypes.MapOfNames[e.DType] // has more types, and several names for each
	if name, known := dtypeNames[dtype]; !known || name != e.DType {
		return nil, fmt.Errorf("unsupported element type %q", e.DType)
	}
	if e.Shape == nil || len(e.Offsets) != 2 {
		return nil, errors.New("no shape or no pair of offsets")
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin != previous || end < begin || end > len(data) {
		return nil, fmt.Errorf("offsets [%d %d], want a range from %d within %d bytes; the file is damaged", begin, end,
			previous, len(data))
	}
	size := float64(dtype.Size()) // exact, unless it exceeds the size of any file
	for _, d := range e.Shape {
		size *= float64(d)
	}
	if size != float64(end-begin) || slices.ContainsFunc(e.Shape, func(d int) bool { return d < 0 }) {
		return nil, fmt.Errorf("shape %v of %s has %d bytes", e.Shape, e.DType, end-begin)
	}
	t := tensors.FromShape(shapes.Make(dtype, e.Shape...))
	var decodeErr error
	err := t.MutableFlatData(func(flat any) {
		_, decodeErr = binary.Decode(data[begin:end], binary.LittleEndian, flat)
	})
	return t, errors.Join(err, decodeErr)
}
