package train_test

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/graphtest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/stopwatch"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// onPoints trains the paper's network by OMM-seq on a batch of points, [batch, 2], that points returns.
func onPoints(seeds []int64, points func(in train.Inputs) *Node) train.Problem {
	network := net.MLP{In: 2, Hidden: []int{256, 256, 256}, Out: 11}
	return onFunctions(network, seeds, func(in train.Inputs) *Node { return network.Apply(in.Params, points(in)) })
}

// onFunctions trains a network whose functions, on a batch, are paired each half with the other.
func onFunctions(network net.MLP, seeds []int64, functions func(in train.Inputs) *Node) train.Problem {
	return train.Problem{Seeds: seeds, Params: network.Init(seeds), Loss: func(in train.Inputs) (*Node, []*Node) {
		f := functions(in)
		half := f.Shape().Dim(-2) / 2
		batch := ommlx.Batch{F: Slice(f, AxisRange(), AxisRange(0, half)), TF: Slice(f, AxisRange(), AxisRange(half))}
		return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(batch.Shift(1), nil)
	}}
}

// started returns a round of so many steps of a training.
func started(b *testing.B, engine compute.Backend, p train.Problem, steps int) stopwatch.Round {
	b.Helper()
	t := testkit.Must(stopwatch.Start(b.Context(), engine, p, optim.Adam{}, steps))
	b.Cleanup(t.Close)
	return t.Round
}

// BenchmarkRuns: eight runs in one program beside eight times one run.
func BenchmarkRuns(b *testing.B) {
	drawn := func(in train.Inputs) *Node { return in.Random.Uniform(dtypes.Float32, 1024, 2) }
	one := started(b, graphtest.Backend(b), onPoints([]int64{1}, drawn), 32)
	eight := started(b, graphtest.Backend(b), onPoints([]int64{1, 2, 3, 4, 5, 6, 7, 8}, drawn), 4)
	stopwatch.Beside(b, eight, func() (stopwatch.Lap, error) {
		l, err := one()
		l.Wall *= 8
		return l, err
	})
}

// BenchmarkDevices: a step that is divided over virtual devices, which are this machine's processor, beside one device,
// so that the best ratio is 1: it says what the division costs. Of one run the samples are divided.
func BenchmarkDevices(b *testing.B) {
	for what, seeds := range map[string][]int64{"runs": {1, 2, 3, 4}, "samples": {1}} {
		drawn := func(in train.Inputs) *Node { return in.Random.Uniform(dtypes.Float32, 2048, 2) }
		b.Run(what, func(b *testing.B) {
			one := started(b, graphtest.Backend(b), onPoints(seeds, drawn), 10)
			stopwatch.Beside(b, started(b, ommtest.Virtual(b, 4), onPoints(seeds, drawn), 10), one)
		})
	}
}

// BenchmarkDistinctStates: the network evaluated once for each of 104 states beside once for each sample of a batch.
func BenchmarkDistinctStates(b *testing.B) {
	const states, batch = 104, 1024
	network := net.MLP{In: 2, Hidden: []int{256, 256, 256}, Out: 11}
	problem := func(functions func(in train.Inputs, index *Node) *Node) train.Problem {
		p := onFunctions(network, []int64{1}, func(in train.Inputs) *Node {
			return functions(in, in.Random.IntN(states, 2*batch))
		})
		flat := make([]float32, 2*states)
		for i := range flat {
			flat[i] = float32(i) / states
		}
		p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(flat, states, 2)}
		return p
	}
	distinct := problem(func(in train.Inputs, index *Node) *Node {
		return operator.GatherRows(network.Apply(in.Params, in.Data[0]), index)
	})
	every := problem(func(in train.Inputs, index *Node) *Node {
		return network.Apply(in.Params, operator.GatherRows(InsertAxes(in.Data[0], 0), index))
	})
	stopwatch.Beside(b, started(b, graphtest.Backend(b), distinct, 20), started(b, graphtest.Backend(b), every, 20))
}
