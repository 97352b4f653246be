package train

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/optim"
)

// TestStepsKeepTheMemoryOfTheOptimiser: on ½Σ aθ² steps with momentum equal those computed by hand.
func TestStepsKeepTheMemoryOfTheOptimiser(t *testing.T) {
	t.Parallel()
	const steps = 25
	a, start := []float32{1, 3, 0.5}, []float32{1, -2, 3, 4, 5, 6}
	bowl := func(in Inputs) (*Node, []*Node) {
		terms := Mul(Square(in.Params[0]), BroadcastPrefix(in.Data[0], 2))
		return MulScalar(ReduceSum(terms, 1), 0.5), nil
	}
	h := optim.SGD{LearningRate: 0.1, Momentum: 0.8}
	want := make([]float64, len(start))
	for i, s := range start {
		theta, v := float64(s), 0.0
		for range steps {
			v = h.Momentum*v + float64(a[i%3])*theta
			theta -= h.LearningRate * v
		}
		want[i] = theta
	}
	for _, o := range []Options{here(t), pureGo(t)} {
		p := Problem{Seeds: []int64{1, 2}, Loss: bowl,
			Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(start, 2, 3)},
			Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(a, 3)}}
		result := mustRun(t, p, Config{Steps: steps, Optimiser: h}, o)
		assert.InDeltaSlice(t, want, tensorx.Numbers(result.Params[0]), 1e-5)
	}
}

func TestNoOptimiserIsAdam(t *testing.T) {
	c := Config{Steps: 20}
	without := mustRun(t, toy(4, 1), c, pureGo(t))
	c.Optimiser = optim.Adam{}
	requireSame(t, mustRun(t, toy(4, 1), c, pureGo(t)), without)
}
