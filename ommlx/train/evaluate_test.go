package train

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/tensorx"
)

func TestEvaluateReturnsOneMatrixForEachRunAndNode(t *testing.T) {
	table := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	p := Problem{Seeds: []int64{3, 4}, Data: []*tensors.Tensor{Table(table)}}
	params := []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 10}, 2, 1, 1)}
	b := pureGo(t).Backend
	var seen [2][][]*mat.Dense
	for i := range seen {
		var err error
		seen[i], err = p.Evaluate(b, Snapshot{Params: params}, func(in Inputs) []*Node {
			require.Empty(t, in.State)
			scaled := Mul(BroadcastToDims(in.Params[0], 2, 2, 2), BroadcastPrefix(in.Data[0], 2))
			return []*Node{scaled, in.Random.Uniform(dtypes.Float32, 5, 1)}
		})
		require.NoError(t, err)
	}
	var tenfold mat.Dense
	tenfold.Scale(10, table)
	require.Equal(t, table, seen[0][0][0])
	require.True(t, mat.Equal(&tenfold, seen[0][1][0]))
	require.True(t, mat.Equal(seen[0][0][1], seen[1][0][1]), "the same numbers again")
	require.False(t, mat.Equal(seen[0][0][1], seen[0][1][1]), "other numbers for another seed")

	_, err := p.Evaluate(b, Snapshot{Params: params},
		func(in Inputs) []*Node { return []*Node{ReduceAllSum(in.Data[0])} })
	require.ErrorContains(t, err, "[runs, points, functions]")
	_, err = p.Evaluate(b, Snapshot{}, nil)
	require.ErrorContains(t, err, "0 parameters")
}

// What is judged is not what was trained on: the stream is not that of the first step.
func TestEvaluateDrawsSamplesOfItsOwn(t *testing.T) {
	p, b := toy(4, 7), pureGo(t).Backend
	draw := func(in Inputs) *Node { return in.Random.Uniform(dtypes.Float32, 3, 1) }
	out, err := p.Evaluate(b, Snapshot{Params: p.Params}, func(in Inputs) []*Node { return []*Node{draw(in)} })
	require.NoError(t, err)
	judged := out[0][0].RawMatrix().Data

	state, err := randomStates(p.Seeds)
	require.NoError(t, err)
	first, err := ExecOnce(b, func(states *Node) *Node { return draw(Inputs{Random: newRandom(states)}) }, state)
	require.NoError(t, err)
	trained := tensorx.Numbers(first)
	require.Len(t, trained, len(judged))
	require.NotEqual(t, trained, judged)
}

func TestEvaluatorCompilesOnceForATraining(t *testing.T) {
	p, built := Problem{Seeds: []int64{3, 4}}, 0
	evaluate, free := p.Evaluator(pureGo(t).Backend, func(in Inputs) []*Node {
		built++
		return []*Node{MulScalar(in.Params[0], 2)}
	})
	defer free()
	for _, x := range []float32{1, 5} {
		params := tensors.FromFlatDataAndDimensions([]float32{x, 10}, 2, 1, 1)
		out, err := evaluate(Snapshot{Params: []*tensors.Tensor{params}})
		require.NoError(t, err)
		require.Equal(t, 2*float64(x), out[0][0].At(0, 0))
		require.Equal(t, 20.0, out[1][0].At(0, 0))
	}
	require.Equal(t, 1, built)
	_, err := evaluate(Snapshot{})
	require.ErrorContains(t, err, "0 parameters")
}
