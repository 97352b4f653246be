package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// A checkpoint file is: magic, SHA-256 of all that follows, length of the header (uint64, little endian), the header in
// JSON, the raw bytes of the tensors.
const magic = "OMMCKPT2"

type header struct {
	Key      string        `json:"key"`
	Identity identity      `json:"identity"`
	Fed      []tensorShape `json:"fed,omitempty"` // of a batch
	Step     int           `json:"step"`
	Seconds  float64       `json:"seconds"`
	Waited   float64       `json:"waited,omitempty"`
	Sessions []Session     `json:"sessions,omitempty"`
	History  []Point       `json:"history"`
	Tensors  []tensorShape `json:"tensors"`
}

type tensorShape struct {
	DType string `json:"dtype"`
	Dims  []int  `json:"dims"`
}

// encode returns the content of a file; it describes the tensors of the state in the header.
func encode(h header, state []*tensors.Tensor) ([]byte, error) {
	var raw bytes.Buffer
	h.Tensors = tensorShapes(shapesOf(state))
	for _, t := range state {
		if err := t.ConstBytes(func(b []byte) { raw.Write(b) }); err != nil {
			return nil, fmt.Errorf("reading the state from the device: %w", err)
		}
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	body := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, raw.Bytes())
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body), nil
}

// decode reads what encode wrote, and refuses what has another sum or does not fit itself.
func decode(all []byte) (header, []*tensors.Tensor, error) {
	var h header
	const start = len(magic) + sha256.Size
	if len(all) < start+8 || string(all[:len(magic)]) != magic {
		return h, nil, fmt.Errorf("it is cut off or not a checkpoint (%d bytes)", len(all))
	}
	body := all[start:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], all[len(magic):start]) {
		return h, nil, fmt.Errorf("its SHA-256 does not match its content, so it is cut off or altered")
	}
	size := binary.LittleEndian.Uint64(body)
	if size > uint64(len(body)-8) {
		return h, nil, fmt.Errorf("its header is longer than the file")
	}
	if err := json.Unmarshal(body[8:8+size], &h); err != nil {
		return h, nil, fmt.Errorf("its header is not readable: %w", err)
	}
	rest := bytes.NewReader(body[8+size:])
	var state []*tensors.Tensor
	for i, shape := range h.Tensors {
		t, err := readTensor(rest, shape)
		if err != nil {
			return h, nil, fmt.Errorf("tensor %d: %w", i, err)
		}
		state = append(state, t)
	}
	if rest.Len() > 0 {
		return h, nil, fmt.Errorf("it has %d bytes too many", rest.Len())
	}
	return h, state, nil
}

func readTensor(rest *bytes.Reader, s tensorShape) (*tensors.Tensor, error) {
	shape, err := s.shape()
	if err != nil {
		return nil, err
	}
	size := shape.DType.Size()
	for _, d := range s.Dims { // divided, not multiplied, so that no dimension overflows or claims memory
		if d > 0 && size > rest.Len()/d {
			return nil, fmt.Errorf("shape %v needs more than the %d bytes left", s.Dims, rest.Len())
		}
		size *= d
	}
	t := tensors.FromShape(shape)
	var readErr error
	err = t.MutableBytes(func(b []byte) { _, readErr = io.ReadFull(rest, b) })
	return t, errors.Join(err, readErr)
}

// shape is that which tensorShapes wrote.
func (s tensorShape) shape() (shapes.Shape, error) {
	dtype, err := dtypes.DTypeString(s.DType)
	if err != nil || !dtype.IsSupported() {
		return shapes.Shape{}, fmt.Errorf("unknown element type %q", s.DType)
	}
	for _, d := range s.Dims {
		if d < 0 {
			return shapes.Shape{}, fmt.Errorf("shape %v has a negative dimension", s.Dims)
		}
	}
	return shapes.Make(dtype, s.Dims...), nil
}

func tensorShapes(list []shapes.Shape) (all []tensorShape) {
	for _, s := range list {
		all = append(all, tensorShape{s.DType.String(), s.Dimensions})
	}
	return all
}
