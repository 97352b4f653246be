package probe

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Outputs are the outputs of each run's network on the same n inputs.
type Outputs struct {
	Runs [][]float32 // [R][n, Dim], row by row
	Dim  int
}

// Evaluator evaluates encoders during training and after it. Free it with Close.
type Evaluator struct {
	exec       *Exec
	statistics int // number of running statistics
}

// Evaluator returns the evaluator of runs of the encoder on a backend.
func (e Encoder) Evaluator(b compute.Backend) (*Evaluator, error) {
	params, statistics := 0, 0
	for _, n := range e.parts() {
		params, statistics = params+len(n.params), statistics+len(n.statistics)
	}
	exec, err := NewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		features, f := e.Apply(in[:params], in[params:last], in[last])
		return []*Node{features, f}
	})
	return &Evaluator{exec, statistics}, err
}

// Close frees what the evaluator holds on the device.
func (v *Evaluator) Close() { v.exec.Finalize() }

// On returns the features of the backbone and the functions on n inputs, for parameters as from [Encoder.Init] and the
// running statistics at the end of state. block returns a block of inputs [B, …] that starts at the given one; the last
// block may be padded with anything. A run with an output that is not finite returns only zeros.
func (v *Evaluator) On(params, state []*tensors.Tensor, n int, block func(first int) (*tensors.Tensor, error)) (
	both [2]Outputs, err error) {
	args := slices.Concat(params, state[len(state)-v.statistics:])
	for first := 0; first < n; {
		x, err := block(first)
		if err != nil {
			return both, err
		}
		out, err := v.exec.Call(append(args, x))
		rows := min(x.Shape().Dim(0), n-first)
		x.FinalizeAll()
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
	t.FinalizeAll()
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
