package train

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/optim"
)

// heavyBall is gradient descent with momentum (Polyak 1964), v ← µv + g, θ ← θ − ηv, as a user might write it.
type heavyBall struct{ rate, momentum float64 }

func (heavyBall) Validate() error { return nil }

func (heavyBall) Slots() int { return 1 }

func (h heavyBall) Update(_ *Node, params, grads []*Node, slots [][]*Node) (
	newParams []*Node, newSlots [][]*Node) {
	newSlots = make([][]*Node, 1)
	for i, p := range params {
		v := Add(MulScalar(slots[0][i], h.momentum), grads[i])
		newParams, newSlots[0] = append(newParams, Sub(p, MulScalar(v, h.rate))), append(newSlots[0], v)
	}
	return newParams, newSlots
}

// TestCustomOptimiser: on ½Σ aθ² the steps equal those computed by hand.
func TestCustomOptimiser(t *testing.T) {
	t.Parallel()
	const steps = 25
	a, start := []float32{1, 3, 0.5}, []float32{1, -2, 3, 4, 5, 6}
	bowl := func(in Inputs) (*Node, []*Node) {
		terms := Mul(Square(in.Params[0]), BroadcastPrefix(in.Data[0], 2))
		return MulScalar(ReduceSum(terms, 1), 0.5), nil
	}
	h := heavyBall{rate: 0.1, momentum: 0.8}
	want := make([]float64, len(start))
	for i, s := range start {
		theta, v := float64(s), 0.0
		for range steps {
			v = h.momentum*v + float64(a[i%3])*theta
			theta -= h.rate * v
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
