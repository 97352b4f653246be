package optim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/optim"
)

// Steps of accumulated gradients are the other optimiser's steps with their means, with its schedule; a part of a step
// moves nothing.
func TestAccumulatedStepsAreThoseOfTheMeans(t *testing.T) {
	const every = 3
	theta, grads := problem(4 * every)
	var means [][]float64
	for s := 0; s < len(grads); s += every {
		mean := make([]float64, len(theta))
		for _, g := range grads[s : s+every] {
			for i := range mean {
				mean[i] += g[i] / every
			}
		}
		means = append(means, mean)
	}
	schedule := optim.Schedule{Warmup: 2, WarmupFrom: 0.5, Decay: optim.Cosine, Steps: 4}
	for _, o := range []optim.Optimiser{optim.SGD{Momentum: 0.9, Schedule: schedule}, optim.LARS{Schedule: schedule},
		optim.Adam{LearningRate: 0.1, Schedule: schedule}} {
		t.Run(fmt.Sprintf("%T", o), func(t *testing.T) {
			a := optim.Accumulate{Optimiser: o, Every: every}
			wantVector, wantMatrix := stepsOf[float64](t, o, theta, means)
			vector, matrix := stepsOf[float64](t, a, theta, grads)
			assert.InDeltaSlice(t, wantVector, vector, 1e-12)
			assert.InDeltaSlice(t, wantMatrix, matrix, 1e-12)

			begun, _ := stepsOf[float64](t, a, theta, grads[:every-1])
			assert.Equal(t, theta, begun)
			after, _ := stepsOf[float64](t, a, theta, grads[:every+1])
			once, _ := stepsOf[float64](t, a, theta, grads[:every])
			assert.Equal(t, once, after)
			assert.NotEqual(t, theta, once)
		})
	}
}

func TestAccumulationThatCannotBe(t *testing.T) {
	require.ErrorContains(t, optim.Accumulate{Every: 1}.Validate(), "there is no optimiser")
	require.ErrorContains(t, optim.Accumulate{Optimiser: optim.SGD{}}.Validate(), "has 0 gradients")
	wrong := optim.Accumulate{Optimiser: optim.SGD{LearningRate: -1}, Every: 2}
	require.ErrorContains(t, wrong.Validate(), "SGD: the learning rate is -1")
	require.NoError(t, optim.Accumulate{Optimiser: optim.SGD{}, Every: 2}.Validate())
}
