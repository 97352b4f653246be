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
	// maxHeader is the reference implementation's limit on the header, in bytes.
	maxHeader = 100_000_000
	// alignment of the data, in bytes: that of the widest element type.
	alignment = 8
)

// names of the element types that can be written and read.
var names = map[dtypes.DType]string{
	dtypes.Float32: "F32",
	dtypes.Float64: "F64",
	dtypes.Int32:   "I32",
	dtypes.Int64:   "I64",
	dtypes.Uint64:  "U64",
}
