package train

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/optim"
)

// here returns Options for the engine of this machine.
func here(t testing.TB) Options {
	t.Helper()
	return Options{Backend: testkit.Backend(t), Key: "key"}
}

// pureGo returns Options for the pure-Go backend, which starts at once.
func pureGo(t testing.TB) Options {
	t.Helper()
	return Options{Backend: testkit.PureGo(t), Key: "key"}
}

// toy fits networks to functions at random points: it has parameters, data, random numbers, and as state a count of the
// steps, such as an objective may have, and a running mean of the networks' values, as in batch normalisation.
func toy(width int, seeds ...int64) Problem {
	m := net.MLP{In: 2, Hidden: []int{width}, Out: 3}
	directions := []float32{1, 0, 0.5, 2, -1, 3}
	return Problem{
		Seeds:  seeds,
		Params: m.Init(seeds),
		State: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(make([]float32, len(seeds)), len(seeds)),
			tensors.FromFlatDataAndDimensions(make([]float32, 3*len(seeds)), len(seeds), 3)},
		Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(directions, 2, 3)},
		Loss: func(in Inputs) (*Node, []*Node) {
			x := in.Random.Uniform(dtypes.Float32, 16, 2)
			target := Sin(DotGeneral(x, []int{2}, nil, in.Data[0], []int{0}, nil))
			f := m.Apply(in.Params, x)
			loss := ReduceMean(Square(Sub(f, target)), 1, 2)
			// The state scales the loss a little, so that losing it changes the parameters.
			loss = Mul(loss, AddScalar(MulScalar(in.State[0], 1e-3), 1))
			loss = Add(loss, MulScalar(ReduceSum(Mul(StopGradient(in.State[1]), ReduceMean(f, 1)), 1), 1e-3))
			mean := Add(MulScalar(in.State[1], 0.9), MulScalar(ReduceMean(StopGradient(f), 1), 0.1))
			return loss, []*Node{AddScalar(in.State[0], 1), mean}
		},
	}
}

// fit has no random numbers, which differ between backends and take most of XLA's compilation of so small a training.
// Its state counts the steps.
func fit(seeds ...int64) Problem {
	p := toy(8, seeds...)
	m := net.MLP{In: 2, Hidden: []int{8}, Out: 3}
	x := make([]float32, 32*2)
	for i := range x {
		x[i] = float32(math.Sin(float64(3 * i)))
	}
	p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, 32, 2)}
	p.Loss = func(in Inputs) (*Node, []*Node) {
		f := m.Apply(in.Params, in.Data[0])
		target := ReduceAndKeep(Sin(MulScalar(in.Data[0], 2)), ReduceSum, 1) // [32, 1]
		loss := ReduceMean(Square(Sub(f, BroadcastToShape(InsertAxes(target, 0), f.Shape()))), 1, 2)
		return loss, []*Node{AddScalar(in.State[0], 1), in.State[1]}
	}
	return p
}

// also returns p with a loss that calls do first.
func also(p Problem, do func(in Inputs)) Problem {
	loss := p.Loss
	p.Loss = func(in Inputs) (*Node, []*Node) {
		do(in)
		return loss(in)
	}
	return p
}

func config(steps, every int) Config {
	schedule := optim.Schedule{Warmup: 5, Decay: optim.Cosine, Steps: 10 * steps}
	return Config{
		Steps: steps, EvalEvery: every, EMA: optim.EMA{Decay: 0.9},
		Optimiser: optim.Adam{LearningRate: 1e-2, Schedule: schedule},
	}
}

// size is an evaluation: for each run the sum of the absolute values of parameters and state.
func size(now Snapshot) ([]float64, error) {
	sums := make([]float64, now.Params[0].Shape().Dim(0))
	for _, p := range slices.Concat(now.Params, now.State) {
		x := tensorx.Numbers(p)
		n := len(x) / len(sums)
		for i, v := range x {
			sums[i/n] += math.Abs(v)
		}
	}
	return sums, nil
}

func mustRun(t testing.TB, p Problem, c Config, o Options) *Result {
	t.Helper()
	return testkit.Must(Run(context.Background(), p, c, o))
}

// content returns the bytes of each tensor.
func content(list []*tensors.Tensor) (all [][]byte) {
	for _, x := range list {
		if err := x.ConstBytes(func(b []byte) { all = append(all, slices.Clone(b)) }); err != nil {
			panic(err)
		}
	}
	return all
}

// requireSame requires two results to be equal bit for bit, except for their times.
func requireSame(t testing.TB, want, got *Result) {
	t.Helper()
	require.Equal(t, content(want.Params), content(got.Params), "parameters")
	require.Equal(t, content(want.Average), content(got.Average), "averages")
	require.Equal(t, content(want.State), content(got.State), "state")
	require.Equal(t, fmt.Sprint(want.History), fmt.Sprint(got.History)) // NaN ≠ NaN
	require.Equal(t, want.Diverged, got.Diverged)
	require.Equal(t, want.Causes, got.Causes)
	require.Equal(t, want.Step, got.Step)
}

// ofRun returns the numbers that belong to run r.
func ofRun(list []*tensors.Tensor, r int) (out []float64) {
	for _, x := range list {
		flat := tensorx.Numbers(x)
		n := len(flat) / x.Shape().Dim(0)
		out = append(out, flat[r*n:(r+1)*n]...)
	}
	return out
}

// firstStatus returns the first status that a training with these options will report.
func firstStatus(o *Options) *Status {
	first := &Status{Step: -1}
	o.Progress = func(s Status) {
		if first.Step < 0 {
			*first = s
		}
	}
	return first
}

// interrupted trains until step reaches at least stop, asks it to stop, and expects the checkpoint to be saved.
func interrupted(t testing.TB, p Problem, c Config, o Options, stop int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(s Status) {
		if s.Step >= stop {
			cancel()
		}
	}
	result, err := Run(ctx, p, c, o)
	require.ErrorIs(t, err, ErrInterrupted)
	require.Nil(t, result)
}
