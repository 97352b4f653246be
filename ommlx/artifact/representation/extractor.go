package representation

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/train"
)

// Extractor evaluates encoders during training and after it. Free it with Close.
type Extractor struct {
	exec  *Exec
	block []int
}

// NewExtractor returns the extractor of runs of an encoder. It applies the network to prepare of the inputs, in blocks
// of the given shape [B, …].
func NewExtractor(b compute.Backend, e Encoder, prepare func(x *Node) *Node, block ...int) *Extractor {
	return &Extractor{MustNewExec(b, func(in []*Node) []*Node {
		trained, x := in[:len(in)-1], in[len(in)-1] // parameters first, running statistics last
		features, f := e.Apply(trained, trained, prepare(x))
		return []*Node{features, f}
	}), block}
}

// Close frees what the extractor holds on the device.
func (v *Extractor) Close() { v.exec.Finalize() }

// Extract returns the features of the backbone and the functions, for each run, on inputs x [N, …] with these labels.
// If an output of a run is not finite, all of them are set to zero, so that the other runs can be evaluated.
func Extract[T uint8 | float32](v *Extractor, now train.Snapshot, x []T, labels []int) (both [2][]Features, err error) {
	args, size := slices.Concat(now.Params, now.State), len(x)/len(labels)
	for first := 0; first < len(labels); first += v.block[0] {
		rows := min(v.block[0], len(labels)-first)
		padded := make([]T, v.block[0]*size)
		copy(padded, x[first*size:])
		in := tensors.FromFlatDataAndDimensions(padded, v.block...)
		out, err := v.exec.Call(append(args, in))
		in.MustFinalizeAll()
		if err != nil {
			return both, fmt.Errorf("evaluating networks on %d inputs: %w", len(labels), err)
		}
		for i, t := range out { // [R, B, dim]
			runs, size, dim := t.Shape().Dim(0), t.Shape().Size(), t.Shape().Dim(2)
			if both[i] == nil {
				both[i] = slices.Repeat([]Features{{Dim: dim, Labels: labels}}, runs)
			}
			flat := tensors.MustCopyFlatData[float32](t)
			t.MustFinalizeAll()
			for r := range runs {
				both[i][r].X = append(both[i][r].X, flat[r*size/runs:][:rows*dim]...)
			}
		}
	}
	for _, f := range slices.Concat(both[0], both[1]) {
		if slices.ContainsFunc(f.X, func(v float32) bool { return !(math.Abs(float64(v)) <= math.MaxFloat32) }) {
			clear(f.X)
		}
	}
	return both, nil
}
