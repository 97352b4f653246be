package bench

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/augment"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// selfSupervised is a step on two views of each image, as Table 1 of the paper has it: ResNet-18, the projector, OMM of
// order 2. With augmented, views are random; without, both are the image.
type selfSupervised struct {
	batch, size, width, hidden, functions int
	augmented                             bool
}

func (v selfSupervised) problem() train.Problem {
	seeds := []int64{1}
	backbone := net.ResNet18{Channels: 3, Width: v.width}
	projector := net.Projector{In: backbone.Features(), Hidden: v.hidden, Out: v.functions}
	weights, statistics := backbone.Init(seeds), backbone.InitState(1)
	pixels := make([]uint8, v.batch*v.size*v.size*3)
	for i := range pixels {
		pixels[i] = uint8(i * 97)
	}
	recipe, objective := augment.SoloLearn(), ommlx.OMM{Orders: []float64{0, 1}}
	return train.Problem{
		Seeds:  seeds,
		Params: slices.Concat(weights, projector.Init(seeds)),
		State:  slices.Concat(statistics, projector.InitState(1)),
		Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(pixels, v.batch, v.size, v.size, 3)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			first := recipe.Normalise(in.Data[0])
			second := first
			if v.augmented {
				first, second = recipe.Views(in.Data[0], in.Random)
			}
			h, next := backbone.Train(in.Params[:len(weights)], in.State[:len(statistics)], first, second)
			f, after := projector.Train(in.Params[len(weights):], in.State[len(statistics):], h...)
			loss, _ := objective.Loss(operator.CDK(f[0], f[1], ommlx.UnitNorm), nil)
			return loss, append(next, after...)
		},
	}
}

// views compares the step on random views by LARS with the same one on the images as they are by plain gradient
// descent. Target: together, the two cost at most a tenth.
func (s *session) views() error {
	const steps = 4
	v := selfSupervised{batch: 32, size: 32, width: 64, hidden: 2048, functions: 256, augmented: true}
	if s.options.scale < 1 {
		v.batch, v.size, v.width, v.hidden, v.functions = 4, 8, 2, 4, 4
	}
	ours, err := s.trainBy(optim.LARS{LearningRate: 0.3}, "views", v.problem(), s.steps(steps))
	if err != nil {
		return err
	}
	defer ours.close()
	v.augmented = false
	plain, err := s.trainBy(optim.SGD{LearningRate: 0.01}, "images", v.problem(), s.steps(steps))
	if err != nil {
		return err
	}
	defer plain.close()
	_, err = s.compare("batch 32", ours.round, contender{"plain images, SGD", 1.1, plain.round})
	return err
}
