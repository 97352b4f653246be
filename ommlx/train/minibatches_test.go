package train

import (
	"context"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// visits is a training that only counts how often it has seen each sample, in its state, [R, N].
func visits(m Minibatches, seeds ...int64) Problem {
	ones := tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{1}, len(seeds)), len(seeds))
	counts := tensors.FromFlatDataAndDimensions(make([]float32, len(seeds)*m.Samples), len(seeds), m.Samples)
	return Problem{
		Seeds: seeds, Params: []*tensors.Tensor{ones}, State: append(m.Start(seeds), counts),
		Loss: func(in Inputs) (*Node, []*Node) {
			samples, next := m.Take(seeds, in.State[:2])
			seen := ReduceSum(OneHot(samples, m.Samples, dtypes.Float32), 1)
			return Square(in.Params[0]), append(next, Add(in.State[2], seen))
		},
	}
}

// TestMinibatches: whole epochs, trained in the device's loop and interrupted in the midst of them, see every sample
// once in each, but for those that fill no batch, and what the device has seen is what the host says.
func TestMinibatches(t *testing.T) {
	t.Parallel()
	const epochs = 3
	for _, m := range []Minibatches{{60, 12}, {71, 12}, {5, 5}, {7, 1}} {
		for _, o := range []Options{here(t), pureGo(t)} {
			seeds, steps := []int64{4, 5}, epochs*m.PerEpoch()
			o.Dir = t.TempDir()
			if steps > 10 && m.Samples != 60 { // which others of XLA's programs do as well
				interrupted(t, visits(m, seeds...), config(steps, 4), o, 6)
			}
			result := mustRun(t, visits(m, seeds...), config(steps, 4), o)
			for r, seed := range seeds {
				want := make([]float64, m.Samples)
				for epoch := range epochs {
					once := make([]bool, m.Samples)
					for step := range m.PerEpoch() {
						for _, sample := range m.Of(seed, epoch*m.PerEpoch()+step) {
							require.False(t, once[sample], "sample %d comes twice in epoch %d", sample, epoch)
							once[sample] = true
							want[sample]++
						}
					}
				}
				require.Equal(t, want, ofRun(result.State[2:], r), "%+v on %s", m, o.Backend.Name())
				if m.Samples%m.Batch == 0 {
					require.Equal(t, slices.Repeat([]float64{epochs}, m.Samples), want)
				}
			}
		}
	}
}

// TestMinibatchesPassOverOthers: what one epoch leaves out, others do not.
func TestMinibatchesPassOverOthers(t *testing.T) {
	m, never := Minibatches{Samples: 29, Batch: 10}, 29
	seen := make([]bool, m.Samples)
	for step := range 5 * m.PerEpoch() {
		for _, sample := range m.Of(1, step) {
			if !seen[sample] {
				seen[sample] = true
				never--
			}
		}
	}
	assert.Zero(t, never)
}

func TestMinibatchesWrongUse(t *testing.T) {
	require.NoError(t, Minibatches{9, 9}.Validate())
	require.EqualError(t, Minibatches{9, 0}.Validate(), "minibatches: the batch has 0 samples; it must have at least 1")
	require.EqualError(t, Minibatches{9, 10}.Validate(),
		"minibatches: a batch of 10 is more than the 9 samples that there are; make the batch smaller")
	require.ErrorContains(t, Minibatches{1 << 31, 10}.Validate(), "there are 2147483648 samples")
	for word, taken := range map[string]Minibatches{
		"a batch of 10 is more than the 9 samples":                               {9, 10},
		"3 states were given; they must be the two that Start returns for these": {9, 3},
	} {
		p := visits(Minibatches{9, 3}, 1)
		p.Loss = func(in Inputs) (*Node, []*Node) {
			_, next := taken.Take(p.Seeds, in.State)
			return in.Params[0], next
		}
		_, err := Run(context.Background(), p, config(1, 0), pureGo(t))
		assert.ErrorContains(t, err, word)
	}
}
