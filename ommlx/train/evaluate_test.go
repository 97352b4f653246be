package train

import (
	"context"
	"errors"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
)

func TestEvaluateReturnsOneMatrixForEachRunAndNode(t *testing.T) {
	table := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	p := Problem{Seeds: []int64{3, 4}, Data: []*tensors.Tensor{Table(table)}}
	params := []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 10}, 2, 1, 1)}
	b := pureGo(t).Backend
	var seen [2][][]*mat.Dense
	for i := range seen {
		seen[i] = testkit.Must(p.Evaluate(b, Snapshot{Params: params}, func(in Inputs) []*Node {
			require.Empty(t, in.State)
			scaled := Mul(BroadcastToDims(in.Params[0], 2, 2, 2), BroadcastPrefix(in.Data[0], 2))
			return []*Node{scaled, in.Random.Uniform(dtypes.Float32, 5, 1)}
		}))
	}
	asItIs := testkit.Must(p.Evaluate(b, Snapshot{Params: params}, func(in Inputs) []*Node { return in.Params }))
	require.Equal(t, 10.0, asItIs[1][0].At(0, 0), "an input, also if nothing reads the inputs after it")
	require.Equal(t, table, seen[0][0][0])
	require.True(t, mat.Equal(linalg.Scaled(10, table), seen[0][1][0]))
	require.True(t, mat.Equal(seen[0][0][1], seen[1][0][1]), "the same numbers again")
	require.False(t, mat.Equal(seen[0][0][1], seen[0][1][1]), "other numbers for another seed")

	_, err := p.Evaluate(b, Snapshot{Params: params},
		func(in Inputs) []*Node { return []*Node{ReduceAllSum(in.Data[0])} })
	require.ErrorContains(t, err, "functions]")
}

// TestEvaluateDrawsOtherSamplesThanTheTraining compares it with the first step.
func TestEvaluateDrawsOtherSamplesThanTheTraining(t *testing.T) {
	p, b := toy(4, 7), pureGo(t).Backend
	draw := func(in Inputs) *Node { return in.Random.Uniform(dtypes.Float32, 3, 1) }
	out := testkit.Must(p.Evaluate(b, Snapshot{Params: p.Params}, func(in Inputs) []*Node { return []*Node{draw(in)} }))
	evaluated := out[0][0].RawMatrix().Data

	state := testkit.Must(randomStates(p.Seeds))
	first, err := ExecOnce(b, func(states *Node) *Node { return draw(Inputs{Random: newRandom(states)}) }, state)
	require.NoError(t, err)
	trained := tensorx.Numbers(first)
	require.Len(t, trained, len(evaluated))
	require.NotEqual(t, trained, evaluated)
}

// TestEvaluatorCompilesOnceForATraining, with tables that come with each call. Other parameters and tables are used.
func TestEvaluatorCompilesOnceForATraining(t *testing.T) {
	p := Problem{Seeds: []int64{3, 4}, Data: []*tensors.Tensor{Table(mat.NewDense(1, 1, []float64{10}))}}
	built := 0
	evaluate, free := p.Evaluator(pureGo(t).Backend, func(in Inputs) []*Node {
		built++
		sum := Add(in.Data[1], BroadcastToShape(in.Data[0], in.Data[1].Shape())) // [N, 1]
		return []*Node{Add(InsertAxes(sum, 0), BroadcastToDims(in.Params[0], 2, sum.Shape().Dim(0), 1))}
	})
	defer free()
	for i, x := range [][]float64{{1, 2}, {3, 4}, {5, 6, 7}} {
		params := tensors.FromFlatDataAndDimensions([]float32{float32(i), 100}, 2, 1, 1)
		out := testkit.Must(evaluate(Snapshot{Params: []*tensors.Tensor{params}}, Table(mat.NewDense(len(x), 1, x))))
		for row, v := range x {
			require.Equal(t, 10+v+float64(i), out[0][0].At(row, 0))
			require.Equal(t, 110+v, out[1][0].At(row, 0))
		}
	}
	require.Equal(t, 2, built, "one program for each number of rows")
	_, err := evaluate(Snapshot{}, Table(mat.NewDense(2, 1, nil)))
	require.ErrorContains(t, err, "out of range")
}

// TestStateIsSeen by evaluations during and after the training: the toy's state counts the steps.
func TestStateIsSeen(t *testing.T) {
	o, p := pureGo(t), toy(4, 1, 2)
	count := func(in Inputs) []*Node { return []*Node{InsertAxes(in.State[0], -1, -1)} }
	o.Eval = func(now Snapshot) ([]float64, error) {
		seen := testkit.Must(p.Evaluate(o.Backend, now, count))
		assert.Equal(t, float64(now.Step), seen[1][0].At(0, 0))
		return make([]float64, 2), nil
	}
	result := mustRun(t, p, config(5, 1), o)
	assert.Equal(t, 5.0, testkit.Must(p.Evaluate(o.Backend, result.Snapshot, count))[1][0].At(0, 0))
}

func TestBest(t *testing.T) {
	with := mustRun(t, toy(4, 1), config(5, 0), pureGo(t))
	require.Equal(t, content(with.Average), content(with.Best()))
	c := config(5, 0)
	c.EMA.Decay = 0
	without := mustRun(t, toy(4, 1), c, pureGo(t))
	require.Empty(t, without.Average)
	require.Equal(t, content(without.Params), content(without.Best()))
	require.Equal(t, content(with.Params), content(without.Params))
}

// TestMistakesAreErrors requires one-line errors, not panics, in a training and in an evaluation.
func TestMistakesAreErrors(t *testing.T) {
	for word, build := range map[string]func(in Inputs) *Node{
		"[-1 2]":       func(in Inputs) *Node { return in.Random.Uniform(dtypes.Float32, -1, 2) },
		"[0 2]":        func(in Inputs) *Node { return in.Random.Normal(dtypes.Float32, 0, 2) },
		"IntN":         func(in Inputs) *Node { return in.Random.IntN(0, 5) },
		"2147483648":   func(in Inputs) *Node { return in.Random.IntN(1<<31, 5) },
		"out of range": func(in Inputs) *Node { return in.Data[1] },
		"BinaryOp":     func(in Inputs) *Node { return Add(in.Data[0], in.Params[1]) },
		"unknown":      func(Inputs) *Node { panic(errors.New("unknown")) },
		"no error":     func(Inputs) *Node { panic("no error") },
	} {
		for _, o := range []Options{here(t), pureGo(t)} {
			p := also(toy(4, 1), func(in Inputs) { build(in) })
			_, training := Run(context.Background(), p, config(1, 0), o)
			_, evaluation := p.Evaluate(o.Backend, Snapshot{Params: p.Params, State: p.State},
				func(in Inputs) []*Node { return []*Node{build(in)} })
			for _, err := range []error{training, evaluation} {
				require.ErrorContains(t, err, word)
				assert.NotContains(t, err.Error(), "\n")
			}
		}
	}
}

func TestInvalidEvaluations(t *testing.T) {
	o, p := pureGo(t), toy(4, 1)
	fine := Snapshot{Params: p.Params, State: p.State}
	params := func(in Inputs) []*Node { return in.Params[:1] }
	for name, c := range map[string]struct {
		problem Problem
		now     Snapshot
		values  func(in Inputs) []*Node
	}{
		"2 runs":    {Problem{Seeds: []int64{1, 2}}, fine, params},
		"Seeds":     {Problem{}, fine, params},
		"no values": {p, fine, func(Inputs) []*Node { return nil }},
		"[1, 4]":    {p, fine, func(in Inputs) []*Node { return in.Params[1:2] }},
		"(Int32)":   {p, fine, func(in Inputs) []*Node { return []*Node{in.Random.IntN(2, 5, 1)} }},
		"value 0":   {p, fine, func(Inputs) []*Node { return []*Node{nil} }},
	} {
		_, err := c.problem.Evaluate(o.Backend, c.now, c.values)
		assert.ErrorContains(t, err, name)
	}
}
