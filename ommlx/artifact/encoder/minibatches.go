package encoder

import (
	"fmt"
	"math"
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Minibatches selects the samples of each step of a training. Every epoch visits the data once in random order, without
// the last Samples mod Batch samples, as PyTorch does with drop_last=True and solo-learn in
// solo/data/classification_dataloader.py.
//
// The order is part of a training's data, see [Minibatches.Order], and the number of steps taken is part of its state,
// so that a training resumes at its place in an epoch.
type Minibatches struct {
	Samples int // N
	Batch   int // B
	Epochs  int
}

// Validate returns an error if the data does not fill a batch.
func (m Minibatches) Validate() error {
	if m.Batch < 1 || m.Batch > m.Samples || m.Samples > math.MaxInt32 {
		return fmt.Errorf("minibatches: Batch is %d and Samples %d, want 1 ≤ Batch ≤ Samples ≤ %d", m.Batch, m.Samples,
			math.MaxInt32)
	}
	return nil
}

// PerEpoch is the number of steps in an epoch, ⌊Samples/Batch⌋.
func (m Minibatches) PerEpoch() int { return m.Samples / m.Batch }

// Steps is the number of steps in all.
func (m Minibatches) Steps() int { return m.Epochs * m.PerEpoch() }

// Order draws the samples of every step, [R, steps, B] int32. Those of run r depend only on seeds[r].
func (m Minibatches) Order(seeds []int64) *tensors.Tensor {
	order := make([]int32, 0, len(seeds)*m.Steps()*m.Batch)
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0x0de4))
		for range m.Epochs {
			for _, sample := range rng.Perm(m.Samples)[:m.PerEpoch()*m.Batch] {
				order = append(order, int32(sample))
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(order, len(seeds), m.Steps(), m.Batch)
}

// Start returns the state before the first step: the number of steps taken, [R] int32.
func (m Minibatches) Start(seeds []int64) *tensors.Tensor {
	return tensors.FromValue(make([]int32, len(seeds)))
}

// Take returns the samples of this step, [R, B] int32, and the next state. order is the tensor of [Minibatches.Order].
func (m Minibatches) Take(order, steps *Node) (samples, next *Node) {
	runs := Iota(steps.Graph(), steps.Shape(), 0)
	return Gather(order, Stack([]*Node{runs, steps}, -1)), AddScalar(steps, int32(1))
}
