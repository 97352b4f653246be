package representation

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mathext/prng"

	"omm-go/ommlx/backend"
)

// Minibatches selects the samples of each step of a training in epochs. Every epoch visits the data once in random
// order, without the last Samples mod Batch samples, as PyTorch does with drop_last=True and solo-learn in
// solo/data/classification_dataloader.py.
//
// A step's samples depend only on the seed and the step. They are part of a training's state: [Minibatches.Start] is
// its initial value, and in a loss [Minibatches.Take] returns the samples and the next state.
type Minibatches struct {
	Samples int // N
	Batch   int // B
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

// Start returns the initial [train.Problem].State of [Minibatches.Take]: the number of steps taken, [R], and the
// samples of the next step, [R, B], both int32. The pure-Go engine computes them.
func (m Minibatches) Start(seeds []int64) []*tensors.Tensor {
	engine, err := backend.PureGo()
	if err != nil {
		panic(err) // it needs no files
	}
	steps := make([]int32, len(seeds))
	first := MustExecOnce(engine, func(epochs *Node) *Node {
		return m.indices(seeds, epochs, Iota(epochs.Graph(), shapes.Make(dtypes.Int32, len(seeds), m.Batch), 1))
	}, steps)
	return []*tensors.Tensor{tensors.FromValue(steps),
		tensors.FromFlatDataAndDimensions(tensors.MustCopyFlatData[int32](first), len(seeds), m.Batch)}
}

// Take returns the samples of this step, [R, B] int32, with seeds[r] for run r, and the next state. It takes them from
// the state and computes those of the next step: on a CPU, XLA would otherwise fuse the shuffle into the Gather that
// reads it, and take more than ten minutes to compile.
func (m Minibatches) Take(seeds []int64, state []*Node) (samples *Node, next []*Node) {
	steps, samples := AddScalar(state[0], int32(1)), state[1]
	perEpoch := AddScalar(ZerosLike(steps), int32(m.PerEpoch()))
	first := MulScalar(Rem(steps, perEpoch), int32(m.Batch))
	within := Iota(steps.Graph(), samples.Shape(), 1)
	positions := Add(BroadcastToShape(InsertAxes(first, 1), samples.Shape()), within)
	return samples, []*Node{steps, m.indices(seeds, Div(steps, perEpoch), positions)}
}

const shuffleRounds = 64

// indices returns the samples at positions [R, B] of the epochs [R], both int32: [R, B] int32. The samples are a pure
// function of seed, epoch and position, so a training resumes at its place in the epoch. Run r has seeds[r].
//
// An epoch is a permutation of 0 … Samples−1 by the swap-or-not shuffle of Hoang, Morris and Rogaway (2012, An
// enciphering scheme based on a card shuffle). Each round pairs every x with a partner y and swaps the two if a bit
// computed from the pair is 1:
//
//	y = (K − x) mod Samples,   x ← y if bit(max(x, y)) = 1.
//
// Each round is its own inverse, so all rounds together are a permutation. With random K and bits, the distribution of
// q positions after r rounds is within total variation distance 2N^{3/2}/(r+2) · ((q+N)/2N)^{r/2+1} of uniform: 5e-5
// with r = 64 for a batch of 256 of 50,000 samples. K and bits are hashes.
func (m Minibatches) indices(seeds []int64, epochs, positions *Node) *Node {
	g := positions.Graph()
	perRound := shapes.Make(dtypes.Uint32, len(seeds), shuffleRounds)
	// keys returns [R, rounds]: one number for each run's epoch and round.
	keys := func(word int) *Node {
		words := xslices.Map(seeds, func(seed int64) uint32 { return seedWords(seed)[word] })
		epoch := Add(Const(g, words), MulScalar(ConvertDType(epochs, dtypes.Uint32), epochStride))
		round := MulScalar(Iota(g, perRound, 1), roundStride)
		return mixNode(Add(BroadcastToShape(InsertAxes(mixNode(epoch), 1), perRound), round))
	}
	samples := AddScalar(ZerosLike(keys(0)), uint32(m.Samples))
	bits, pivots := keys(0), Rem(keys(1), samples)

	x := ConvertDType(positions, dtypes.Uint32)
	n := AddScalar(ZerosLike(x), uint32(m.Samples))
	ofRound := func(keys *Node, round int) *Node {
		return BroadcastToShape(Slice(keys, AxisRange(), AxisElem(round)), x.Shape())
	}
	for round := range shuffleRounds {
		y := Sub(Add(ofRound(pivots, round), n), x)
		y = Where(GreaterOrEqual(y, n), Sub(y, n), y)
		bit := BitwiseShiftRightLogicalScalar(mixNode(BitwiseXor(Max(x, y), ofRound(bits, round))), uint32(31))
		x = Where(Equal(bit, OnesLike(bit)), y, x)
	}
	return ConvertDType(x, dtypes.Int32)
}

// The strides are odd, so that their multiples differ modulo 2³² for different epochs or rounds: 2³² over the golden
// ratio, as in Knuth's multiplicative hash, and a prime of xxHash.
const (
	epochStride uint32 = 0x9e3779b9
	roundStride uint32 = 0x85ebca77
)

// seedWords maps each seed to a different pair of words.
func seedWords(seed int64) [2]uint32 {
	z := prng.NewSplitMix64(uint64(seed)).Uint64()
	return [2]uint32{uint32(z), uint32(z >> 32)}
}

// mixNode applies MurmurHash3's 32-bit finaliser (Appleby 2011) to every element: every output bit depends on every
// input bit.
func mixNode(h *Node) *Node {
	fold := func(h *Node, by uint32) *Node { return BitwiseXor(h, BitwiseShiftRightLogicalScalar(h, by)) }
	h = MulScalar(fold(h, 16), uint32(0x85ebca6b))
	h = MulScalar(fold(h, 13), uint32(0xc2b2ae35))
	return fold(h, 16)
}
