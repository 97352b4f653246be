package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
)

// Evaluate computes values once with the parameters and the state of a snapshot, such as [Result].Snapshot, and returns
// the value of each node for each run: [R, N, k] becomes R matrices N×k. values gets the same [Inputs] as a loss, with
// random numbers other than the training's. To evaluate at other points, change p.Data; to evaluate with averaged
// parameters, set the snapshot's Params to [Snapshot.Best].
//
//	out, err := p.Evaluate(b, result.Snapshot, func(in train.Inputs) []*Node { return []*Node{f(in), tf(in)} })
//	f, tf := out[0][0], out[0][1] // of the first run
func (p Problem) Evaluate(b compute.Backend, now Snapshot, values func(in Inputs) []*Node) ([][]*mat.Dense, error) {
	evaluate, free := p.Evaluator(b, values)
	defer free()
	return evaluate(now)
}

// Evaluator is a compiled [Problem.Evaluate]. Tables in more, such as points, follow the problem's Data in
// [Inputs].Data.
type Evaluator func(now Snapshot, more ...*tensors.Tensor) ([][]*mat.Dense, error)

// Evaluator returns [Problem.Evaluate] for many snapshots of one training: values is compiled for the first snapshot,
// and again only for other shapes. free releases the program; do not call evaluate after it.
func (p Problem) Evaluator(b compute.Backend, values func(in Inputs) []*Node) (evaluate Evaluator, free func()) {
	var params, state int // lengths of the snapshot's lists
	exec := MustNewExec(b, func(in []*Node) (nodes []*Node) {
		first, last := 1+params, 1+params+state
		inputs := Inputs{Params: in[1:first:first], State: in[first:last:last], Data: in[last:],
			Random: newRandom(in[0])}
		errorOnPanic(func() { nodes = values(inputs) })
		p.checkValues(nodes)
		for i, n := range nodes { // the pure-Go backend cannot return an input if another input is unused
			nodes[i] = Identity(n)
		}
		return nodes
	})
	evaluate = func(now Snapshot, more ...*tensors.Tensor) ([][]*mat.Dense, error) {
		if len(p.Seeds) == 0 {
			return nil, errors.New("evaluating: Seeds is empty, want one for each run")
		}
		if err := p.areRuns("evaluating", now.Params, now.State); err != nil {
			return nil, err
		}
		random, err := randomStates(xslices.Map(p.Seeds, func(seed int64) int64 { return ^seed }))
		if err != nil {
			return nil, fmt.Errorf("evaluating: %w", err)
		}
		params, state = len(now.Params), len(now.State)
		out, err := exec.Call(slices.Concat([]*tensors.Tensor{random}, now.Params, now.State, p.Data, more))
		if err != nil {
			return nil, fmt.Errorf("evaluating: %s", reason(err))
		}
		all := make([][]*mat.Dense, len(p.Seeds))
		for _, t := range out {
			for r, m := range tensorx.Matrices(t) {
				all[r] = append(all[r], m)
			}
		}
		return all, nil
	}
	return evaluate, exec.Finalize
}

// Compute evaluates a graph without parameters once. value gets the data and random numbers from a fixed seed and
// returns [1, n, m].
func Compute(b compute.Backend, data []*tensors.Tensor, value func(in Inputs) *Node) (*mat.Dense, error) {
	p := Problem{Seeds: []int64{1}, Data: data}
	out, err := p.Evaluate(b, Snapshot{}, func(in Inputs) []*Node { return []*Node{value(in)} })
	if err != nil {
		return nil, err
	}
	return out[0][0], nil
}

func (p Problem) checkValues(nodes []*Node) {
	if len(nodes) == 0 {
		panic(errors.New("no values"))
	}
	for i, n := range nodes {
		if n == nil {
			panic(fmt.Errorf("value %d is nil", i))
		}
		s := n.Shape()
		if s.Rank() != 3 || s.Dim(0) != len(p.Seeds) || s.Size() == 0 ||
			s.DType != dtypes.Float32 && s.DType != dtypes.Float64 {
			panic(fmt.Errorf("value %d has shape %s, want [%d, points, functions] in float32 or float64", i, s,
				len(p.Seeds)))
		}
	}
}

// Table converts an N×M matrix to float32, for [Problem].Data or as points for [Problem.Evaluate].
func Table(m mat.Matrix) *tensors.Tensor {
	rows, columns := m.Dims()
	flat := make([]float32, rows*columns)
	for i := range flat {
		flat[i] = float32(m.At(i/columns, i%columns))
	}
	return tensors.FromFlatDataAndDimensions(flat, rows, columns)
}
