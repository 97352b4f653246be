package encoder

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// Every epoch visits each sample at most once, in another order, and a run's order depends only on its seed.
func TestEpochsVisitEachSampleOnce(t *testing.T) {
	m := Minibatches{Samples: 71, Batch: 12, Epochs: 3}
	order := tensors.MustCopyFlatData[int32](m.Order([]int64{4, 5}))
	require.Equal(t, order[len(order)/2:], tensors.MustCopyFlatData[int32](m.Order([]int64{5})))
	epochs := map[string]bool{}
	for epoch := range slices.Chunk(order, m.PerEpoch()*m.Batch) {
		sorted := slices.Compact(slices.Sorted(slices.Values(epoch)))
		require.Len(t, sorted, 60)
		require.GreaterOrEqual(t, sorted[0], int32(0))
		require.Less(t, sorted[59], int32(71))
		key := ""
		for _, sample := range epoch {
			key += string(rune(sample))
		}
		epochs[key] = true
	}
	require.Len(t, epochs, 6)
}

// A training of two runs takes the samples in their order: it counts, weighed by the step, how often it sees each one.
func TestTrainingsTakeSamplesInOrder(t *testing.T) {
	m, seeds := Minibatches{Samples: 23, Batch: 5, Epochs: 2}, []int64{4, 5}
	order := m.Order(seeds)
	p := train.Problem{Seeds: seeds, Data: []*tensors.Tensor{order},
		Params: []*tensors.Tensor{tensors.FromValue([]float32{1, 1})},
		State:  []*tensors.Tensor{m.Start(seeds), tensors.FromFlatDataAndDimensions(make([]float32, 2*23), 2, 23)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			samples, next := m.Take(in.Data[0], in.State[0])
			step := InsertAxes(ConvertDType(next, dtypes.Float32), -1)
			seen := ReduceSum(OneHot(samples, m.Samples, dtypes.Float32), 1)
			seen = Mul(seen, BroadcastToShape(step, seen.Shape()))
			return Square(in.Params[0]), []*Node{next, Add(in.State[1], seen)}
		},
	}
	want := make([]float64, 2*23)
	for i, sample := range tensors.MustCopyFlatData[int32](order) {
		run, step := i/(m.Steps()*m.Batch), i/m.Batch%m.Steps()
		want[run*23+int(sample)] += float64(step + 1)
	}
	trained := testkit.Must(train.Run(t.Context(), p, train.Config{Steps: m.Steps()},
		train.Options{Backend: testkit.Backend(t)}))
	require.Equal(t, want, tensorx.Numbers(trained.State[1]))
}

func TestMinibatchesValidate(t *testing.T) {
	require.NoError(t, Minibatches{Samples: 9, Batch: 9}.Validate())
	for _, m := range []Minibatches{{}, {Samples: 9}, {Samples: 9, Batch: 10},
		{Samples: math.MaxInt32 + 1, Batch: 10}} {
		require.Error(t, m.Validate(), m)
	}
}
