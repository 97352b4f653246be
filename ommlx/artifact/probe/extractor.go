package probe

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
type Extractor struct{ exec *Exec }

// Extractor returns the extractor of runs of the encoder. It applies the network to prepare of the inputs.
func (e Encoder) Extractor(b compute.Backend, prepare func(x *Node) *Node) *Extractor {
	params := 0
	for _, n := range e.parts() {
		params += len(n.params)
	}
	return &Extractor{MustNewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		features, f := e.Apply(in[:params], in[params:last], prepare(in[last]))
		return []*Node{features, f}
	})}
}

// Close frees what the extractor holds on the device.
func (v *Extractor) Close() { v.exec.Finalize() }

// On returns the features of the backbone and the functions, for each run, on inputs with these labels. block returns
// inputs [B, …] from the given one on; the last block may be padded with anything. If an output of a run is not finite,
// all of them are set to zero, so that the other runs can be judged.
func (v *Extractor) On(now train.Snapshot, labels []int, block func(first int) *tensors.Tensor) (both [2][]Features,
	err error) {
	args := slices.Concat(now.Params, now.State)
	for first := 0; first < len(labels); {
		x := block(first)
		out, err := v.exec.Call(append(args, x))
		rows := min(x.Shape().Dim(0), len(labels)-first)
		x.MustFinalizeAll()
		if err != nil {
			return both, fmt.Errorf("probe: evaluating networks on %d inputs: %w", len(labels), err)
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
		first += rows
	}
	for _, f := range slices.Concat(both[0], both[1]) {
		if slices.ContainsFunc(f.X, func(v float32) bool { return !(math.Abs(float64(v)) <= math.MaxFloat32) }) {
			clear(f.X)
		}
	}
	return both, nil
}
