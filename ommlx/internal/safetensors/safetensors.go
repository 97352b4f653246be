// Package safetensors writes and reads named tensors in the safetensors format, which Python, Rust and JavaScript read
// too. A file is
//
//	length of the header (uint64, little endian), header (JSON), data,
//
// where the header has one entry per tensor, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}, and
// strings under "__metadata__". Offsets count from the start of the data; the values of a tensor lie row by row in
// little endian. Tensors follow each other without gaps.
//
// Source: the format's reference implementation, github.com/huggingface/safetensors (README, "Format"), whose limit on
// the header and whose checks are kept here.
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

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
)

// File is the content of a file.
type File struct {
	// Tensors are float32, float64, int32, int64 or uint64, of any shape.
	Tensors map[string]*tensors.Tensor
	// Metadata is what the file says of itself.
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
	alignment    = 8 // of the data, in bytes: that of the widest element type
)

// names of the element types that can be written and read.
var names = map[dtypes.DType]string{
	dtypes.Float32: "F32",
	dtypes.Float64: "F64",
	dtypes.Int32:   "I32",
	dtypes.Int64:   "I64",
	dtypes.Uint64:  "U64",
}

// listOfNames returns the element types in words.
func listOfNames() string {
	return fmt.Sprintf("%v", slices.Sorted(maps.Values(names)))
}

// Write writes f to w. The same content gives the same bytes. Errors name a tensor that is of another element type,
// before anything is written, or that cannot be read, and are else those of w.
func Write(w io.Writer, f File) error {
	// Wide elements first: each tensor is then aligned for its own element type.
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
			return fmt.Errorf("tensor %q has the element type %s; only %s can be written", name, t.DType(),
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
