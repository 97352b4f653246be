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

// Outputs are the outputs of each run's network on the same n inputs.
type Outputs struct {
	Runs [][]float32 // [R][n, Dim], row by row
	Dim  int
}

// Labelled returns the outputs of each run as features of samples with these labels.
func (o Outputs) Labelled(labels []int) []Features {
	all := make([]Features, len(o.Runs))
	for r, x := range o.Runs {
		all[r] = Features{X: x, Dim: o.Dim, Labels: labels}
	}
	return all
}

// Evaluator evaluates encoders during training and after it. Free it with Close.
type Evaluator struct{ exec *Exec }

// Evaluator returns the evaluator of runs of the encoder. It applies the network to prepare of the inputs.
func (e Encoder) Evaluator(b compute.Backend, prepare func(x *Node) *Node) *Evaluator {
	params := 0
	for _, n := range e.parts() {
		params += len(n.params)
	}
	return &Evaluator{MustNewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		features, f := e.Apply(in[:params], in[params:last], prepare(in[last]))
		return []*Node{features, f}
	})}
}

// Close frees what the evaluator holds on the device.
func (v *Evaluator) Close() { v.exec.Finalize() }

// On returns the features of the backbone and the functions on n inputs. block returns a block of inputs [B, …] that
// starts at the given one; the last block may be padded with anything. A run with an output that is not finite returns
// only zeros.
func (v *Evaluator) On(now train.Snapshot, n int, block func(first int) (*tensors.Tensor, error)) (both [2]Outputs,
	err error) {
	args := slices.Concat(now.Params, now.State)
	for first := 0; first < n; {
		x, err := block(first)
		if err != nil {
			return both, err
		}
		out, err := v.exec.Call(append(args, x))
		rows := min(x.Shape().Dim(0), n-first)
		x.MustFinalizeAll()
		if err != nil {
			return both, fmt.Errorf("evaluating networks on %d inputs: %w", n, err)
		}
		for i := range both {
			both[i].add(out[i], rows)
		}
		first += rows
	}
	both[0].zeroNonFinite()
	both[1].zeroNonFinite()
	return both, nil
}

// add appends the first n rows of each run; t is [R, B, Dim].
func (o *Outputs) add(t *tensors.Tensor, n int) {
	runs, size := t.Shape().Dim(0), t.Shape().Size()
	if o.Dim = t.Shape().Dim(2); o.Runs == nil {
		o.Runs = make([][]float32, runs)
	}
	flat := tensors.MustCopyFlatData[float32](t)
	t.MustFinalizeAll()
	for r := range o.Runs {
		o.Runs[r] = append(o.Runs[r], flat[r*size/runs:][:n*o.Dim]...)
	}
}

// zeroNonFinite sets all outputs of a run to zero if one of them is not finite, so that the other runs can be judged.
func (o *Outputs) zeroNonFinite() {
	for _, x := range o.Runs {
		if slices.ContainsFunc(x, func(v float32) bool { return !(math.Abs(float64(v)) <= math.MaxFloat32) }) {
			clear(x)
		}
	}
}
