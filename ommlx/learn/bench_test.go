package learn_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/stopwatch"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// BenchmarkLearn: one call beside the same training by hand, both with all that belongs to them: a kernel on 4,096
// samples, 5 functions, batches of 256.
func BenchmarkLearn(b *testing.B) {
	const k, batch, steps = 5, 256, 2_000
	rng := graphtest.NewRand(1)
	samples := mat.NewDense(4_096, 1, nil)
	samples.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, samples)
	network := net.MLP{In: 1, Hidden: []int{64, 64}, Out: k}
	kernel := func(x, y *Node) *Node { return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -2)) }
	byLearn := stopwatch.Repeated(1, func() error {
		_, err := learn.Learn(b.Context(), learn.Kernel{Samples: samples, K: kernel, Functions: network}, k,
			learn.Settings{Steps: steps, Batch: batch, Backend: graphtest.Backend(b)})
		return err
	})
	stopwatch.Beside(b, byLearn, stopwatch.Repeated(1, func() error {
		rows, _ := samples.Dims()
		p := train.Problem{Seeds: []int64{1}, Params: network.Init([]int64{1}),
			Data: []*tensors.Tensor{train.Table(samples)},
			Loss: func(in train.Inputs) (*Node, []*Node) {
				x := Gather(in.Data[0], InsertAxes(in.Random.IntN(rows, batch), -1))
				f := network.Apply(in.Params, x)
				tf := operator.Kernel(kernel(InsertAxes(x, 2), InsertAxes(x, 1)), f)
				return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: tf}, nil)
			}}
		adam := optim.Adam{LearningRate: 3e-3, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: steps}}
		_, err := train.Run(b.Context(), p, train.Config{Steps: steps, Optimiser: adam},
			train.Options{Backend: graphtest.Backend(b)})
		return err
	}))
}
