package notebook

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/theory"
	"operator-omm/ommlx/train"
)

// twoWaves are orthonormal in the mean over four points.
var twoWaves = mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, -1, 1, -1})

func TestJudgeMeasuresNormAngleAndQuotient(t *testing.T) {
	angle := 0.3
	turned := mat.NewDense(2, 2, []float64{-2, math.Sin(angle), 0, math.Cos(angle)})
	f := theory.Product(twoWaves, turned)
	tf := theory.Product(twoWaves, mat.NewDiagDense(2, []float64{4, 1}), turned)
	j, err := Judge(f, tf, twoWaves)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{2, 1}, j.Norms, 1e-12)
	assert.InDeltaSlice(t, []float64{0, angle}, j.Angles, 1e-12)
	square := math.Sin(angle) * math.Sin(angle)
	assert.InDeltaSlice(t, []float64{4, 1 + 3*square}, j.Quotients, 1e-12)
	_, err = Judge(f, tf, theory.Columns(twoWaves, 0, 1))
	require.ErrorContains(t, err, "functions are 4×2, but exact functions 4×1")
}

// The parameters are pulled to (1, 0; 0, 1): what is judged is both waves at the end, and the way there.
func TestTrainJudgedFollowsTheAngles(t *testing.T) {
	problem := train.Problem{
		Seeds:  []int64{1, 2},
		Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float64{1, 1, -1, 1, 1, 1, -1, 1}, 2, 2, 2)},
		Data:   []*tensors.Tensor{theory.Tensor(twoWaves), theory.Tensor(theory.Eye(2))},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			return ReduceSum(Square(Sub(in.Params[0], InsertAxes(in.Data[1], 0))), 1, 2), nil
		},
	}
	config := train.Config{Steps: 20, EvalEvery: 10, Optimiser: optim.SGD{LearningRate: 0.25}}
	j, err := TrainJudged("waves", problem, config,
		func(in train.Inputs) (f, tf *Node) {
			f = Einsum("nd,rdk->rnk", in.Data[0], in.Params[0])
			return f, MulScalar(f, 2)
		}, twoWaves)
	require.NoError(t, err)
	require.Len(t, j.Runs, 2)
	assert.InDeltaSlice(t, []float64{2, 2}, j.Runs[1].Quotients, 1e-5)
	assert.Less(t, j.Runs[1].Angles[1], 1e-4)
	require.Equal(t, []float64{0, 10, 20}, j.Mean.X)
	assert.InDelta(t, math.Pi/4, j.Mean.Y[0], 1e-6)
	require.Equal(t, "mode 2", j.Modes[1].Name)
	require.Len(t, j.Modes[1].Y, 3)
}

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
	small, err := linear([]int64{7, 7}, 0.5, 1).problem()
	require.NoError(t, err)
	v := theory.Runs(small.Params[0])
	require.InDelta(t, 0, mat.Norm(theory.Combine(2, v[0], -1, v[1]), 2), 1e-6)
	_, err = linear([]int64{7, 7}, 0.5).problem()
	require.EqualError(t, err, "linear functions: 1 starts and 2 seeds; give one of each for every run")
}

// Each batch has its own samples, in the order in which they are drawn, and none is lost between calls.
func TestBatchLossesAreThoseOfTheSamples(t *testing.T) {
	const batch, count = 2, blockOfBatches + 3
	next := 0.0
	losses, err := BatchLosses(func(f, tf *Node) (*Node, []*Node) {
		return ReduceSum(Sub(tf, f), 1, 2), nil
	}, batch, count, func(samples int) (f, tf *mat.Dense) {
		f, tf = mat.NewDense(samples, 1, nil), mat.NewDense(samples, 1, nil)
		for i := range samples {
			f.Set(i, 0, next)
			tf.Set(i, 0, 3*next)
			next++
		}
		return f, tf
	})
	require.NoError(t, err)
	require.Len(t, losses, count)
	for b, loss := range losses { // 2(2b + 2b + 1)
		require.Equal(t, float64(8*b+2), loss)
	}
}
