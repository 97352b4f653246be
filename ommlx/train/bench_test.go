package train_test

import (
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

// onPoints trains the paper's network by OMM-seq on batches of points, [batch, 2].
func onPoints(seeds []int64, points func(in train.Inputs) *Node) train.Problem {
	network := net.MLP{In: 2, Hidden: []int{256, 256, 256}, Out: 11}
	return onFunctions(network, seeds, func(in train.Inputs) *Node { return network.Apply(in.Params, points(in)) })
}

// onFunctions trains a network on a batch of functions; each half of the batch is paired with the other.
func onFunctions(network net.MLP, seeds []int64, functions func(in train.Inputs) *Node) train.Problem {
	return train.Problem{Seeds: seeds, Params: network.Init(seeds), Loss: func(in train.Inputs) (*Node, []*Node) {
		f := functions(in)
		half := f.Shape().Dim(-2) / 2
		batch := ommlx.Batch{F: Slice(f, AxisRange(), AxisRange(0, half)), TF: Slice(f, AxisRange(), AxisRange(half))}
		return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(batch.Shift(1), nil)
	}}
}

// step trains for two rounds of steps and returns the time per step in the second one, after compilation.
func step(b *testing.B, p train.Problem, steps int) func() (time.Duration, error) {
	b.Helper()
	return func() (took time.Duration, err error) {
		var began time.Time
		_, err = train.Run(b.Context(), p, train.Config{Steps: 2 * steps, EvalEvery: steps},
			train.Options{Backend: testkit.Backend(b), Eval: func(train.Snapshot) ([]float64, error) {
				took, began = time.Since(began)/time.Duration(steps), time.Now()
				return make([]float64, len(p.Seeds)), nil
			}})
		return took, err
	}
}

// BenchmarkRuns compares eight runs in one program with eight times one run.
func BenchmarkRuns(b *testing.B) {
	drawn := func(in train.Inputs) *Node { return in.Random.Uniform(dtypes.Float32, 1024, 2) }
	one := step(b, onPoints([]int64{1}, drawn), 64)
	eight := step(b, onPoints([]int64{1, 2, 3, 4, 5, 6, 7, 8}, drawn), 16)
	testkit.Compare(b, eight, func() (time.Duration, error) {
		took, err := one()
		return 8 * took, err
	})
}

// BenchmarkDistinctStates compares one evaluation for each of 104 states with one for each sample of a batch.
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
	testkit.Compare(b, step(b, distinct, 100), step(b, every, 100))
}
