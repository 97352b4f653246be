package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
)

// Evaluate computes values once with the parameters and the state of a snapshot, such as [Result].Snapshot, and returns for
// each run what each node of values is: [R, N, k] becomes R matrices N×k. values sees the same [Inputs] as a loss, so that
// what trains can be written once, as a function that returns f and Tf, and judged on a sample that is as large as one
// likes; its random numbers are those of a stream apart from the training's, and nothing is fed. To evaluate on other
// points, give p other Data.
//
//	judged, err := p.Evaluate(b, result.Snapshot, func(in train.Inputs) []*Node { f, tf := values(in, 10_000); return []*Node{f, tf} })
//	f, tf := judged[0][0], judged[0][1]
//
// An error says that the parameters do not fit or that values could not be built; a node of another shape is one too.
func (p Problem) Evaluate(b compute.Backend, now Snapshot, values func(in Inputs) []*Node) ([][]*mat.Dense, error) {
	params := now.Params
	if len(params) == 0 || len(p.Seeds) == 0 {
		return nil, fmt.Errorf("evaluating: %d parameters and %d seeds were given; at least one of each is needed", len(params), len(p.Seeds))
	}
	apart := make([]int64, len(p.Seeds))
	for i, seed := range p.Seeds {
		apart[i] = ^seed
	}
	random, err := randomStates(apart)
	if err != nil {
		return nil, fmt.Errorf("evaluating: %w", err)
	}
	args := []any{random}
	for _, t := range slices.Concat(params, now.State, p.Data) {
		args = append(args, t)
	}
	out, err := ExecOnceN(b, func(in []*Node) []*Node {
		state := 1 + len(params)
		data := state + len(now.State)
		return values(Inputs{Params: in[1:state], State: in[state:data], Data: in[data:], Random: newRandom(in[0])})
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("evaluating: %w", err)
	}
	all := make([][]*mat.Dense, len(p.Seeds))
	for i, t := range out {
		dims := t.Shape().Dimensions
		if len(dims) != 3 || dims[0] != len(p.Seeds) {
			return nil, fmt.Errorf("evaluating: value %d has shape %s; it must be [runs, points, functions], with %d runs", i, t.Shape(), len(p.Seeds))
		}
		flat, size := floats(t), dims[1]*dims[2]
		for r := range all {
			all[r] = append(all[r], mat.NewDense(dims[1], dims[2], flat[r*size:(r+1)*size]))
		}
	}
	return all, nil
}

// Table is a matrix as [Problem].Data, or as points for [Problem.Evaluate]: N×M in float32.
func Table(m mat.Matrix) *tensors.Tensor {
	rows, columns := m.Dims()
	flat := make([]float32, 0, rows*columns)
	for i := range rows {
		for j := range columns {
			flat = append(flat, float32(m.At(i, j)))
		}
	}
	return tensors.FromFlatDataAndDimensions(flat, rows, columns)
}
