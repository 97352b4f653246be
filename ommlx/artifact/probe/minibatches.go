package probe

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
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

// Of returns the samples of a step, counted from 0.
func (m Minibatches) Of(seed int64, step int) []int {
	order := m.epoch(seed, step/m.PerEpoch())
	first := step % m.PerEpoch() * m.Batch
	samples := make([]int, m.Batch)
	for i := range samples {
		samples[i] = order.index(first + i)
	}
	return samples
}

// Start returns the initial [train.Problem].State of [Minibatches.Take]: the number of steps taken, [R], and the
// samples of the next step, [R, B], both int32.
func (m Minibatches) Start(seeds []int64) []*tensors.Tensor {
	samples := make([]int32, 0, len(seeds)*m.Batch)
	for _, seed := range seeds {
		for _, sample := range m.Of(seed, 0) {
			samples = append(samples, int32(sample))
		}
	}
	return []*tensors.Tensor{tensors.FromShape(shapes.Make(dtypes.Int32, len(seeds))),
		tensors.FromFlatDataAndDimensions(samples, len(seeds), m.Batch)}
}

// Take returns the samples of this step, [R, B] int32, equal to [Minibatches.Of] with seeds[r] for run r, and the next
// state. It takes them from the state and computes those of the next step: on a CPU, XLA would otherwise fuse the
// shuffle into the Gather that reads it, and take more than ten minutes to compile.
func (m Minibatches) Take(seeds []int64, state []*Node) (samples *Node, next []*Node) {
	steps, samples := AddScalar(state[0], int32(1)), state[1]
	perEpoch := AddScalar(ZerosLike(steps), int32(m.PerEpoch()))
	first := MulScalar(Rem(steps, perEpoch), int32(m.Batch))
	within := Iota(steps.Graph(), samples.Shape(), 1)
	positions := Add(BroadcastToShape(InsertAxes(first, 1), samples.Shape()), within)
	return samples, []*Node{steps, m.indices(seeds, Div(steps, perEpoch), positions)}
}

const shuffleRounds = 64

// indices returns the samples at positions [R, B] of the epochs [R], both int32: [R, B] int32. Run r has seeds[r] and
// the order of [Minibatches.epoch].
func (m Minibatches) indices(seeds []int64, epochs, positions *Node) *Node {
	g := positions.Graph()
	runs := len(seeds)
	words := make([][2]uint32, runs)
	for r, seed := range seeds {
		words[r] = seedWords(seed)
	}
	perRound := shapes.Make(dtypes.Uint32, runs, shuffleRounds)
	// keys returns [R, rounds]: one number for each run's epoch and round.
	keys := func(word int) *Node {
		flat := make([]uint32, runs)
		for r := range words {
			flat[r] = words[r][word]
		}
		epoch := Add(Const(g, flat), MulScalar(ConvertDType(epochs, dtypes.Uint32), epochStride))
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

// order is a permutation of 0 … Samples−1 for one epoch, defined by the keys of its rounds. The sample at a position is
// a pure function of seed, epoch and position, the same on the host and on the device, so a training resumes at its
// place in the epoch.
//
// It is the swap-or-not shuffle of Hoang, Morris and Rogaway (2012, An enciphering scheme based on a card shuffle).
// Each round pairs every x with a partner y and swaps the two if a bit computed from the pair is 1:
//
//	y = (K − x) mod Samples,   x ← y if bit(max(x, y)) = 1.
//
// Each round is its own inverse, so all rounds together are a permutation. With random K and bits, the distribution of
// q positions after r rounds is within total variation distance 2N^{3/2}/(r+2) · ((q+N)/2N)^{r/2+1} of uniform: 5e-5
// with r = 64 for a batch of 256 of 50,000 samples. K and bits are hashes.
type order struct {
	samples      uint32
	bits, pivots [shuffleRounds]uint32
}

// epoch returns the order of an epoch, counted from 0, on the host.
func (m Minibatches) epoch(seed int64, epoch int) *order {
	o := &order{samples: uint32(m.Samples)}
	words := seedWords(seed)
	for i := range words {
		words[i] = mix(words[i] + uint32(epoch)*epochStride)
	}
	for round := range uint32(shuffleRounds) {
		o.bits[round] = mix(words[0] + round*roundStride)
		o.pivots[round] = mix(words[1]+round*roundStride) % o.samples
	}
	return o
}

// index returns the sample at a position in [0, Samples).
func (o *order) index(position int) int {
	x := uint32(position)
	for round := range shuffleRounds {
		y := o.pivots[round] + o.samples - x
		if y >= o.samples {
			y -= o.samples
		}
		if mix(max(x, y)^o.bits[round])>>31 == 1 {
			x = y
		}
	}
	return int(x)
}

// The strides are odd, so that their multiples differ modulo 2³² for different epochs or rounds: 2³² over the golden
// ratio, as in Knuth's multiplicative hash, and a prime of xxHash.
const (
	epochStride uint32 = 0x9e3779b9
	roundStride uint32 = 0x85ebca77
)

// seedWords maps each seed to a different pair of words, by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func seedWords(seed int64) [2]uint32 {
	z := uint64(seed) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return [2]uint32{uint32(z), uint32(z >> 32)}
}

// The multipliers of MurmurHash3's 32-bit finaliser (Appleby 2011): every output bit depends on every input bit.
const (
	mixFirst  uint32 = 0x85ebca6b
	mixSecond uint32 = 0xc2b2ae35
)

func mix(h uint32) uint32 {
	h = (h ^ h>>16) * mixFirst
	h = (h ^ h>>13) * mixSecond
	return h ^ h>>16
}

// mixNode applies mix to every element.
func mixNode(h *Node) *Node {
	fold := func(h *Node, by uint32) *Node { return BitwiseXor(h, BitwiseShiftRightLogicalScalar(h, by)) }
	h = MulScalar(fold(h, 16), mixFirst)
	h = MulScalar(fold(h, 13), mixSecond)
	return fold(h, 16)
}
