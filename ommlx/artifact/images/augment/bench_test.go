package augment_test

import (
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/bench"
	"omm-go/ommlx/artifact/images/augment"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// BenchmarkViews: a step of ResNet-18 on two random views of 32 images by LARS beside one on the images as they are by
// plain gradient descent.
func BenchmarkViews(b *testing.B) {
	const batch, size = 32, 32
	network, recipe := probe.Encoder{Backbone: probe.ResNet18{Channels: 3, Width: 64}}, augment.SoloLearn()
	pixels := make([]uint8, batch*size*size*3)
	for i := range pixels {
		pixels[i] = uint8(i * 97)
	}
	round := func(random bool, o optim.Optimiser) func() (time.Duration, error) {
		seeds := []int64{1}
		weights, statistics := network.Init(seeds)
		t, err := bench.Start(b.Context(), testkit.Backend(b), train.Problem{Seeds: seeds,
			Params: weights, State: statistics,
			Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(pixels, batch, size, size, 3)},
			Loss: func(in train.Inputs) (*Node, []*Node) {
				first := recipe.Normalise(in.Data[0])
				second := first
				if random {
					first, second = recipe.Views(in.Data[0], in.Random)
				}
				f, next := network.Train(in.Params, in.State, first, second)
				return ReduceMean(Square(Sub(f[0], f[1])), 1, 2), next
			}}, o, 4)
		require.NoError(b, err)
		b.Cleanup(t.Close)
		return func() (time.Duration, error) {
			lap, err := t.Round()
			return lap.Wall, err
		}
	}
	testkit.Beside(b, round(true, optim.LARS{LearningRate: 0.3}), round(false, optim.SGD{LearningRate: 0.01}))
}
