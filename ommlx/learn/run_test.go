package learn_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// TestSeeds: every run equals a training with its seed only, and the embedded run has the highest score on held-out
// pairs.
func TestSeeds(t *testing.T) {
	op := learn.Pairs{From: normal(500, 1, 1), To: normal(500, 1, 2)}
	op.To.(*mat.Dense).Apply(func(i, _ int, z float64) float64 { return 0.9*op.From.At(i, 0) + 0.44*z }, op.To)
	s := learn.Settings{Steps: 100, Seeds: []int64{5, 6}, Batch: 64, EvalBatch: 500, Options: pureGo(t)}
	all := mustLearn(t, op, 2, s)
	require.Len(t, all.Runs, 2)
	for i, seed := range s.Seeds {
		s.Seeds = []int64{seed}
		one := mustLearn(t, op, 2, s)
		assert.InDeltaSlice(t, one.Values, all.Runs[i].Values, 1e-5)
		assert.Nil(t, one.Spread)
		assert.LessOrEqual(t, all.Runs[i].HeldOut.Score, all.HeldOut.Score)
	}
	assert.Equal(t, all.Runs[all.Best].Values, all.Values)
	assert.NotEqual(t, all.Runs[0].HeldOut.Score, all.Runs[1].HeldOut.Score)
	a, b := all.Runs[0].Values[1], all.Runs[1].Values[1]
	assert.Greater(t, math.Abs(a-b), 1e-4)
	assert.InDelta(t, math.Abs(a-b)/math.Sqrt2, all.Spread[1], 1e-12)
}

// TestNoisyTask: a blur of the circle, (Tf)(φ) = E f(φ + σz), whose eigenvalues are exp(−σ²n²/2). Values of one random
// neighbour for each point are right to 1 %, and their errors are about as large as the standard errors. Those on pairs
// that the caller holds out are within four errors.
func TestNoisyTask(t *testing.T) {
	const sigma, pairs = 0.5, 2_000
	on := func(in learn.Inputs, angle *Node) *Node {
		return in.F(Concatenate([]*Node{Cos(angle), Sin(angle)}, -1))
	}
	angles, moves := normal(pairs, 1, 1), normal(pairs, 1, 2)
	from, to := mat.NewDense(pairs, 2, nil), mat.NewDense(pairs, 2, nil)
	for p := range pairs {
		angle := 10 * angles.At(p, 0)
		for x, at := range map[*mat.Dense]float64{from: angle, to: angle + sigma*moves.At(p, 0)} {
			x.SetRow(p, []float64{math.Cos(at), math.Sin(at)})
		}
	}
	blur := learn.Task{Functions: net.MLP{In: 2, Hidden: []int{32, 32}, Out: 5}, Noisy: true,
		HeldOut: learn.Pairs{From: from, To: to},
		Draw: func(in learn.Inputs, n int) ommlx.Batch {
			dtype := in.Params[0].DType()
			angle := MulScalar(in.Random.Uniform(dtype, n, 1), 2*math.Pi)
			moved := Add(angle, MulScalar(in.Random.Normal(dtype, n, 1), sigma))
			return ommlx.Batch{F: on(in, angle), TF: on(in, moved)}
		}}
	learned := mustLearn(t, blur, 5, learn.Settings{})
	for i, v := range learned.Values {
		exact := math.Exp(-math.Pow(sigma*float64((i+1)/2), 2) / 2)
		assert.InDelta(t, exact, v, 0.01*exact+1e-3, "value %d", i+1)
		assert.InDelta(t, 1, v/exact, 0.002+4*learned.StandardErrors[i]/exact, "value %d", i+1)
		assert.Less(t, learned.StandardErrors[i], 0.005)
		assert.InDelta(t, exact, learned.HeldOut.Values[i], 4*learned.HeldOut.Errors[i]+1e-9)
		assert.Less(t, learned.HeldOut.Errors[i], 0.05)
	}
	assert.Empty(t, learned.Advice())
}

// TestGraphOfFeatures: a network of the nodes' coordinates finds the eigenfunctions of a circle.
func TestGraphOfFeatures(t *testing.T) {
	const n = 30
	features := mat.NewDense(n, 2, nil)
	for i := range n {
		angle := 2 * math.Pi * float64(i) / n
		features.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
	}
	g := learn.Graph{Nodes: n, Edges: ringOf(0, n), Features: features,
		Functions: net.MLP{In: 2, Hidden: []int{64, 64}, Out: 3}}
	learned := mustLearn(t, g, 3, learn.Settings{Steps: 1_000})
	for i, exact := range []float64{1, math.Cos(2 * math.Pi / n), math.Cos(2 * math.Pi / n)} {
		assert.InDelta(t, exact, learned.Values[i], 0.01)
	}
	phi := testkit.Must(learned.At(features))
	assert.InDelta(t, n, math.Pow(mat.Norm(phi.ColView(1), 2), 2), 0.01*n) // of mean square 1
}

// TestDivergence: if one of two seeds diverges, the advice names it; if all diverge, Learn returns an error.
func TestDivergence(t *testing.T) {
	spoilt := func(runs int) learn.Task { // the first runs see NaN
		network := net.MLP{In: 1, Hidden: []int{8}, Out: 2}
		return learn.Task{Functions: network, Draw: func(in learn.Inputs, n int) ommlx.Batch {
			f := in.F(in.Random.Uniform(in.Params[0].DType(), n, 1))
			lost := LessThan(Iota(f.Graph(), f.Shape(), 0), MulScalar(OnesLike(f), float64(runs)))
			nothing := StopGradient(ZerosLike(f))
			return ommlx.Batch{F: f, TF: Add(f, Where(lost, AddScalar(nothing, math.NaN()), nothing))}
		}}
	}
	s := learn.Settings{Steps: 20, Seeds: []int64{5, 6}, Options: pureGo(t)}
	learned := mustLearn(t, spoilt(1), 2, s)
	assert.Equal(t, 1, learned.Best)
	assert.Nil(t, learned.Runs[0].Values)
	assert.Nil(t, learned.Spread)
	assert.Contains(t, strings.Join(learned.Advice(), "\n"), "seed 5 diverged at step 1")
	for _, cause := range []string{"loss or gradient", "the file has no values for it"} {
		loaded := testkit.Must(learn.Load(save(t, learned), nil, nil))
		assert.Equal(t, cause, loaded.Runs[0].Cause)
		learned.Runs[0].Diverged = 0 // as a run that could not be evaluated
	}
	lost, err := learn.Learn(context.Background(), spoilt(2), 2, s)
	require.ErrorIs(t, err, train.ErrDiverged)
	assert.ErrorContains(t, err, "loss")
	require.NotEmpty(t, lost.Result.Params) // as Learn documents for a failed evaluation
	require.NotNil(t, lost.Task.Functions)
	require.Equal(t, -1, lost.Best)
	require.Empty(t, lost.Runs)
	require.Zero(t, lost.Run)
	_, err = lost.At(mat.NewDense(1, 1, nil))
	require.Error(t, err)
	require.Error(t, lost.Save(filepath.Join(t.TempDir(), "none")))
}

// TestVanishedFunctionsLeaveTheOthers: without a shift for the negative eigenvalues of a matrix, the positive
// ones are returned, and the advice has a shift that works.
func TestVanishedFunctionsLeaveTheOthers(t *testing.T) {
	a := diagonal(1, 0.8, -0.5, -0.6, -0.7, -0.8)
	learned := mustLearn(t, a, 4, learn.Settings{Shift: learn.None, Steps: 3_000, Options: pureGo(t)})
	require.InDeltaSlice(t, []float64{1, 0.8}, learned.Values[:2], 1e-5)
	require.True(t, math.IsNaN(learned.Values[2]))
	require.Len(t, learned.Advice(), 1)
	require.Contains(t, learned.Advice()[0], "values 3, 4 are NaN")
	var shift float64
	_, after, _ := strings.Cut(learned.Advice()[0], "set Shift to ")
	_, err := fmt.Sscanf(after, "%g", &shift)
	require.NoError(t, err)
	phi := testkit.Must(learned.At(nil))
	require.InDelta(t, 1, mat.Norm(phi.ColView(1), 2), 1e-3)
	require.NoError(t, learned.Save(filepath.Join(t.TempDir(), "some")))
	learned = mustLearn(t, a, 4, learn.Settings{Shift: shift})
	require.InDeltaSlice(t, []float64{1, 0.8, -0.5, -0.6}, learned.Values, 1e-4)
	require.Empty(t, learned.Advice())
}

// sine is the sine of the angle between two vectors.
func sine(a, b mat.Vector) float64 {
	cosine := mat.Dot(a, b) / (mat.Norm(a, 2) * mat.Norm(b, 2))
	return math.Sqrt(1 - cosine*cosine)
}

// TestNone: where 0 is a default, None asks for a shift of zero, which is the same operator as a tiny shift, and for no
// pairs held out.
func TestNone(t *testing.T) {
	values := func(shift float64) []float64 {
		s := learn.Settings{Shift: shift, Steps: 20, Options: pureGo(t)}
		return mustLearn(t, diagonal(1, 0.8, -0.5, -0.6), 3, s).Values
	}
	assert.InDeltaSlice(t, values(1e-12), values(learn.None), 1e-6)
	assert.Greater(t, math.Abs(values(0)[2]-values(learn.None)[2]), 1e-3)
	x, y := normal(200, 1, 1), normal(200, 1, 2)
	for _, op := range []learn.Operator{learn.Pairs{From: x, To: y, Functions: tiny, HeldOut: learn.None},
		learn.Joint{X: x, Y: y, Left: tiny, Right: tiny, HeldOut: learn.None}} {
		assert.Nil(t, mustLearn(t, op, 2, learn.Settings{Steps: 1, Options: pureGo(t)}).HeldOut)
	}
}
