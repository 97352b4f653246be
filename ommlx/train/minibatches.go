package train

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Minibatches are the samples of each step of a training in epochs: every epoch goes through the data once, in the
// order of [Shuffle]. The samples that are left when the data has no whole batch any more, Samples mod Batch, are
// passed over, other ones in each epoch. That is PyTorch's drop_last=True, with which solo-learn trains its networks
// and its linear probes (solo/data/classification_dataloader.py).
//
// A step's samples depend on the seed and the step alone. A [Feed] returns the batch of its step with [Minibatches.Of];
// a loss on the device takes it from the state:
//
//	p.State = m.Start(seeds)
//	p.Loss = func(in train.Inputs) (*Node, []*Node) {
//		samples, next := m.Take(seeds, in.State)
//		…
//		return loss, next
//	}
type Minibatches struct {
	Samples int // N
	Batch   int // B
}

// Validate returns an error when the data does not fill a batch.
func (m Minibatches) Validate() error {
	switch {
	case m.Batch < 1:
		return fmt.Errorf("minibatches: the batch has %d samples; it must have at least 1", m.Batch)
	case m.Batch > m.Samples:
		return fmt.Errorf("minibatches: a batch of %d is more than the %d samples that there are; "+
			"make the batch smaller", m.Batch, m.Samples)
	}
	return Shuffle{m.Samples}.Validate()
}

// PerEpoch is the number of steps in an epoch, ⌊Samples/Batch⌋.
func (m Minibatches) PerEpoch() int { return m.Samples / m.Batch }

// Of returns the samples of a step, counted from 0.
func (m Minibatches) Of(seed int64, step int) []int {
	order := Shuffle{m.Samples}.epoch(seed, step/m.PerEpoch())
	first := step % m.PerEpoch() * m.Batch
	samples := make([]int, m.Batch)
	for i := range samples {
		samples[i] = order.index(first + i)
	}
	return samples
}

// Start returns what [Minibatches.Take] keeps in [Problem].State: the number of steps taken, [R], and the samples of
// the next one, [R, B], both int32.
func (m Minibatches) Start(seeds []int64) []*tensors.Tensor {
	samples := make([]int32, 0, len(seeds)*m.Batch)
	for _, seed := range seeds {
		for _, sample := range m.Of(seed, 0) {
			samples = append(samples, int32(sample))
		}
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(make([]int32, len(seeds)), len(seeds)),
		tensors.FromFlatDataAndDimensions(samples, len(seeds), m.Batch)}
}

// Take returns the samples of this step, [R, B] int32, those of [Minibatches.Of] with seeds[r] for run r, and the state
// after it. Graph building panics if the state is not that of [Minibatches.Start].
//
// The samples of the next step are computed in this one, for a reason: XLA on a CPU fuses the shuffle into a Gather
// that reads its result, and has then not compiled it after ten minutes. What comes from the state cannot be fused.
func (m Minibatches) Take(seeds []int64, state []*Node) (samples *Node, next []*Node) {
	if err := m.Validate(); err != nil {
		panic(err)
	}
	runs := len(seeds)
	if len(state) != 2 || !state[0].Shape().Equal(shapes.Make(dtypes.Int32, runs)) ||
		!state[1].Shape().Equal(shapes.Make(dtypes.Int32, runs, m.Batch)) {
		panic(fmt.Errorf("train.Minibatches: %d states were given; they must be the two that Start returns for these "+
			"%d seeds", len(state), runs))
	}
	steps, samples := AddScalar(state[0], int32(1)), state[1]
	perEpoch := AddScalar(ZerosLike(steps), int32(m.PerEpoch()))
	first := MulScalar(Rem(steps, perEpoch), int32(m.Batch))
	within := Iota(steps.Graph(), samples.Shape(), 1)
	positions := Add(BroadcastToShape(InsertAxes(first, 1), samples.Shape()), within)
	return samples, []*Node{steps, Shuffle{m.Samples}.indices(seeds, Div(steps, perEpoch), positions)}
}
