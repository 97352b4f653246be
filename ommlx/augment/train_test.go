package augment

import (
	"context"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// fit learns one image p per run, [R, H, W, C], that minimises E|view − p|² over views of a batch: its minimiser is the
// mean of all views.
func fit(recipe Recipe, images graphtest.Array, batch int, seeds ...int64) train.Problem {
	count, image := images.Dims[0], images.Dims[1:]
	table := make([]uint8, len(images.Data))
	for i, v := range images.Data {
		table[i] = uint8(255*v + 0.5)
	}
	shape := append([]int{len(seeds)}, image...)
	size := len(images.Data) / count
	return train.Problem{
		Seeds:  seeds,
		Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(make([]float32, len(seeds)*size), shape...)},
		Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(table, images.Dims...)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			rows := Gather(in.Data[0], InsertAxes(in.Random.IntN(count, batch), -1), false) // [R, B, H, W, C]
			first, second := recipe.Views(rows, in.Random)
			p := InsertAxes(in.Params[0], 1)
			distance := func(view *Node) *Node { return ReduceMean(Square(Sub(view, p)), 1, 2, 3, 4) }
			return Add(distance(first), distance(second)), nil
		},
	}
}

func run(t *testing.T, p train.Problem, steps int) *train.Result {
	t.Helper()
	schedule := optim.Schedule{Decay: optim.Cosine, Steps: steps}
	result, err := train.Run(context.Background(), p,
		train.Config{Steps: steps, EvalEvery: steps / 2, Optimiser: optim.Adam{LearningRate: 0.05, Schedule: schedule}},
		train.Options{Backend: graphtest.Backend(t)})
	require.NoError(t, err)
	require.Equal(t, make([]int, len(p.Seeds)), result.Diverged)
	return result
}

// TestTraining in the device loop: with reflections alone the mean view is the mean image made symmetric.
func TestTraining(t *testing.T) {
	t.Parallel()
	images := testImages(graphtest.NewRand(14), 6, 8, 8, 3)
	want := newPicture(8, 8, 3)
	for _, p := range pictures(images) {
		for y := range 8 {
			for x := range 8 {
				for c := range 3 {
					*want.at(y, x, c) += (*p.at(y, x, c) + *p.at(y, 7-x, c)) / 12
				}
			}
		}
	}
	got := graphtest.FromTensor(run(t, fit(Recipe{Flip: 0.5}, images, 64, 3), 400).Params[0])
	graphtest.RequireClose(t, join([]picture{want}), got, 0.03, "the mean view")
}
