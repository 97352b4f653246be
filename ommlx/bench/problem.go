package bench

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/train"
)

// setting is the training step that everybody runs: OMM-seq on P + I, k = 11, inputs (x, y), three hidden layers.
type setting struct {
	batch, width int
	rows         int // states to sample from
}

// The paper's setting (Section C.1) samples from 10⁶ transitions; the tiny one shows what a step costs beyond its
// arithmetic.
var (
	paper = setting{batch: 1024, width: 256, rows: 1_000_000}
	tiny  = setting{batch: 128, width: 64, rows: 1_000_000}
)

const outputs = 11

// reading is what the programs in Python compute, too: pairs alone, without a shift.
var reading = rl.Reading{Gamma: 0.9}

// evaluation says how the functions are evaluated on the sampled states, index [R, 2B]: it returns [R, 2B, k].
type evaluation func(network net.MLP, in train.Inputs, index *Node) *Node

// everySample evaluates the network on every sample of the batch: in one pass, which is the faster way here, while JAX
// is as fast in the two passes of published code.
func everySample(network net.MLP, in train.Inputs, index *Node) *Node {
	return network.Apply(in.Params, operator.GatherRows(InsertAxes(in.Data[0], 0), index))
}

// distinctStates evaluates the network once for each state.
func distinctStates(network net.MLP, in train.Inputs, index *Node) *Node {
	return operator.GatherRows(network.Apply(in.Params, in.Data[0]), index)
}

// problem trains the setting on states with the given coordinates, rows×2, that are drawn uniformly.
func (s setting) problem(coordinates []float32, evaluate evaluation) train.Problem {
	seeds := []int64{1}
	network := net.MLP{In: 2, Hidden: []int{s.width, s.width, s.width}, Out: outputs}
	return train.Problem{
		Seeds:  seeds,
		Params: network.Init(seeds),
		Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(coordinates, s.rows, 2)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			index := in.Random.IntN(s.rows, 2*s.batch)
			rows := evaluate(network, in, index)
			part := func(from, to int) *Node { return Slice(rows, AxisRange(), AxisRange(from, to)) }
			batch := ommlx.Batch{F: part(0, s.batch), TF: part(s.batch, 2*s.batch)}
			return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(batch.Shift(1), nil)
		},
	}
}

// anywhere returns as many coordinates as the setting has rows.
func (s setting) anywhere() []float32 {
	flat := make([]float32, 2*s.rows)
	for i := range flat {
		flat[i] = float32(i%1000)/1000 - 0.5
	}
	return flat
}
