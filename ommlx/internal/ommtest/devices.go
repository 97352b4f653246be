package ommtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

var opened = struct {
	sync.Mutex
	engines map[int]compute.Backend
}{engines: map[int]compute.Backend{}}

// Virtual returns an engine of n devices that are this machine's processor, the same in each call. It skips the test
// where there is no XLA CPU plugin.
func Virtual(t testing.TB, n int) compute.Backend {
	t.Helper()
	opened.Lock()
	defer opened.Unlock()
	if b, there := opened.engines[n]; there {
		return b
	}
	b, err := backend.Virtual(n)
	if errors.Is(err, backend.ErrNoCPUPlugin) {
		t.Skip(err)
	}
	require.NoError(t, err)
	opened.engines[n] = b
	return b
}

// AsOnOne takes two steps of plain gradient descent on a problem, on one device and on each number of devices. Losses
// and parameters, and so gradients, must agree within a tolerance, relative to the largest of each tensor: round-off.
func AsOnOne(t testing.TB, p train.Problem, tolerance float64, devices ...int) {
	t.Helper()
	c := train.Config{Steps: 2, EvalEvery: 1, Optimiser: optim.SGD{LearningRate: 1e-3}}
	on := func(n int) *train.Result {
		o := train.Options{Backend: Virtual(t, slices.Max(devices)), Devices: n}
		result, err := train.Run(context.Background(), p, c, o)
		require.NoError(t, err, "%d devices", n)
		return result
	}
	one := on(1)
	for _, n := range devices {
		several := on(n)
		for i, point := range several.History {
			want := one.History[i].Loss
			for r := range point.Loss {
				require.InDelta(t, want[r], point.Loss[r], tolerance*(1+math.Abs(want[r])), "loss on %d devices", n)
			}
		}
		for i, x := range slices.Concat(one.Params, one.State) {
			y := slices.Concat(several.Params, several.State)[i]
			require.Less(t, TensorDifference(t, x, y), tolerance, "tensor %d of shape %s on %d devices",
				i, x.Shape(), n)
		}
	}
}

// Together are problems of the same seeds as one, which is compiled sooner than each of them: with the sum of their
// losses, and each loss as a state behind those of its problem.
func Together(problems ...train.Problem) train.Problem {
	all := train.Problem{Seeds: problems[0].Seeds}
	for _, p := range problems {
		loss := tensors.FromFlatDataAndDimensions(make([]float32, len(p.Seeds)), len(p.Seeds))
		all.Params, all.Data = append(all.Params, p.Params...), append(all.Data, p.Data...)
		all.State = append(append(all.State, p.State...), loss)
	}
	all.Loss = func(in train.Inputs) (total *Node, states []*Node) {
		rest := in
		for i, p := range problems {
			in.Params, rest.Params = rest.Params[:len(p.Params)], rest.Params[len(p.Params):]
			in.State, rest.State = rest.State[:len(p.State)], rest.State[len(p.State)+1:]
			in.Data, rest.Data = rest.Data[:len(p.Data)], rest.Data[len(p.Data):]
			loss, next := p.Loss(in)
			if states = append(append(states, next...), loss); i == 0 {
				total = loss
			} else {
				total = Add(total, loss)
			}
		}
		return total, states
	}
	return all
}

// TensorDifference is the largest difference of two tensors' numbers, over one plus the largest of them. It panics
// where they have a type that [tensorx.Numbers] does not read.
func TensorDifference(t testing.TB, a, b *tensors.Tensor) (most float64) {
	t.Helper()
	x, y := tensorx.Numbers(a), tensorx.Numbers(b)
	require.Len(t, y, len(x))
	size := 1.0
	for i := range x {
		most, size = max(most, math.Abs(x[i]-y[i])), max(size, 1+math.Abs(x[i]))
	}
	return most / size
}
