package notebook

import (
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

var twoWaves = mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, -1, 1, -1})

// The parameters are pulled to the identity, so that the functions become both waves.
func TestTrainEvaluatedRecordsAngles(t *testing.T) {
	problem := train.Problem{
		Seeds:  []int64{1, 2},
		Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float64{1, 1, -1, 1, 1, 1, -1, 1}, 2, 2, 2)},
		Data:   []*tensors.Tensor{verify.Tensor(twoWaves), verify.Tensor(linalg.IdentityMatrix(2))},
		Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
			return graph.ReduceSum(graph.Square(graph.Sub(in.Params[0], graph.InsertAxes(in.Data[1], 0))), 1, 2), nil
		},
	}
	config := train.Config{Steps: 20, EvalEvery: 10, Optimiser: optim.SGD{LearningRate: 0.25}}
	j, err := TrainEvaluated("waves", problem, config,
		func(in train.Inputs) (f, tf *graph.Node) {
			f = graph.Einsum("nd,rdk->rnk", in.Data[0], in.Params[0])
			return f, graph.MulScalar(f, 2)
		}, twoWaves)
	require.NoError(t, err)
	require.Len(t, j.Runs, 2)
	assert.InDeltaSlice(t, []float64{2, 2}, j.Runs[1].Quotients, 1e-5)
	assert.InDeltaSlice(t, []float64{1, 1}, j.Runs[1].Norms, 1e-4)
	assert.Less(t, j.Runs[1].Angles[1], 1e-4)
	require.Equal(t, []float64{0, 10, 20}, j.Mean.X)
	assert.InDelta(t, math.Pi/4, j.Mean.Y[0], 1e-6)
	require.Equal(t, "mode 2", j.Modes[1].Name)
	require.Len(t, j.Modes[1].Y, 3)
}
