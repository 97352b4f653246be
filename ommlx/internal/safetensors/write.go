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

	"github.com/gomlx/gomlx/core/tensors"
)

// Write writes f to w. The same content gives the same bytes. Errors name a tensor that is nil or of another element
// type, a name or a metadata string that is no UTF-8, and are else those of w.
func Write(w io.Writer, f File) error {
	head, order, err := headerOf(f)
	if err != nil {
		return err
	}
	if _, err := w.Write(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head)); err != nil {
		return err
	}
	for _, name := range order {
		raw, err := bytesOf(f.Tensors[name])
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return nil
}

// headerOf returns the header of f, padded for the alignment of the data, and the order in which the tensors follow.
func headerOf(f File) (head []byte, order []string, err error) {
	for name, t := range f.Tensors {
		if err := writable(name, t); err != nil {
			return nil, nil, err
		}
	}
	for key, value := range f.Metadata {
		if !utf8.ValidString(key + value) {
			return nil, nil, fmt.Errorf("the metadata %q: %q is not UTF-8; write text only", key, value)
		}
	}
	// Wide elements first: each tensor is then aligned for its own element type.
	order = slices.SortedFunc(maps.Keys(f.Tensors), func(a, b string) int {
		return cmp.Or(f.Tensors[b].DType().Size()-f.Tensors[a].DType().Size(), cmp.Compare(a, b))
	})
	header, offset := make(map[string]any, len(order)+1), 0
	if len(f.Metadata) > 0 {
		header[metadataName] = f.Metadata
	}
	for _, name := range order {
		t := f.Tensors[name]
		end := offset + t.Size()*t.DType().Size()
		header[name] = entry{names[t.DType()], append([]int{}, t.Shape().Dimensions...), []int{offset, end}}
		offset = end
	}
	head, err = json.Marshal(header)
	if err != nil {
		return nil, nil, err
	}
	if rest := (lengthBytes + len(head)) % alignment; rest > 0 {
		head = append(head, bytes.Repeat([]byte(" "), alignment-rest)...)
	}
	if len(head) > maxHeader {
		return nil, nil, fmt.Errorf("the header takes %d bytes, of which the format allows %d; "+
			"write fewer tensors or less metadata", len(head), maxHeader)
	}
	return head, order, nil
}

func writable(name string, t *tensors.Tensor) error {
	switch {
	case name == metadataName:
		return fmt.Errorf("a tensor cannot be called %s, which holds the strings of the file; "+
			"choose another name", name)
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %q of a tensor is not UTF-8; choose another one", name)
	case t == nil:
		return fmt.Errorf("tensor %q is nil; leave it out or give it a value", name)
	}
	if err := t.CheckValid(); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	if names[t.DType()] == "" {
		return fmt.Errorf("tensor %q has the element type %s; only %s can be written", name, t.DType(), listOfNames())
	}
	return nil
}

// listOfNames returns the element types in words.
func listOfNames() string {
	return fmt.Sprintf("%v", slices.Sorted(maps.Values(names)))
}

// bytesOf returns the values of t in little endian.
func bytesOf(t *tensors.Tensor) (raw []byte, err error) {
	if t.Size() == 0 {
		return nil, nil
	}
	var appendErr error
	err = t.ConstFlatData(func(flat any) { raw, appendErr = binary.Append(nil, binary.LittleEndian, flat) })
	return raw, errors.Join(err, appendErr)
}
