package notebook

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/theory"
	"operator-omm/ommlx/train"
)

func linear(seeds []int64, starts ...float64) Linear {
	return Linear{Eigenvalues: []float64{1, 0.25, 0.0625}, Functions: 2, Batch: 256, Seeds: seeds, Starts: starts,
		Loss: func(f, tf *Node) (*Node, []*Node) {
			return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: tf}, nil)
		}}
}

func TestLinearFunctionsLearnTheirCoordinates(t *testing.T) {
	config := train.Config{Steps: 1_000, EMA: optim.EMA{Decay: 0.99}, Optimiser: optim.Adam{LearningRate: 1e-2}}
	result, err := linear([]int64{1, 2}, 0.3, 0.6).Train("", config)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0}, result.Diverged)
	for _, v := range theory.Runs(result.Best()[0]) {
		for _, angle := range theory.Angles(v, theory.Columns(theory.Eye(3), 0, 2)) {
			require.Less(t, angle, 0.2)
		}
	}
}

func TestLinearFunctionsStartAsLargeAsTheyAreTold(t *testing.T) {
	small, err := linear([]int64{7, 7}, 0.5, 1).Problem()
	require.NoError(t, err)
	v := theory.Runs(small.Params[0])
	require.InDelta(t, 0, mat.Norm(theory.Combine(2, v[0], -1, v[1]), 2), 1e-6)
	_, err = linear([]int64{7, 7}, 0.5).Problem()
	require.EqualError(t, err, "linear functions: 1 starts and 2 seeds; give one of each for every run")
}
