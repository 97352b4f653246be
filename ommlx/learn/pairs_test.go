package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// TestTheFourthFunction: two independent coordinates have the eigenvalues 1, .95, .9025 and .857, of a cubic function.
// With the default number of steps and only four functions, the last was .80 in half of the runs.
func TestTheFourthFunction(t *testing.T) {
	testkit.XLA(t) // pure Go takes minutes
	x := mat.NewDense(20_000, 2, nil)
	z := normal(20_000, 2, 1)
	for i := 1; i < 20_000; i++ {
		for j, rho := range []float64{0.95, 0.8} {
			x.Set(i, j, rho*x.At(i-1, j)+math.Sqrt(1-rho*rho)*z.At(i, j))
		}
	}
	pairs := testkit.Must(learn.Trajectories(1, x))
	learned := mustLearn(t, pairs, 4, learn.Settings{Seeds: []int64{1, 2}})
	for _, run := range learned.Runs {
		assert.InDelta(t, testkit.Must(pairs.EDMD(3, 4)).Values[3], run.Values[3], 0.03)
	}
	assert.Empty(t, learned.Advice())
}

// TestMoreFunctionsThanEigenvalues: observations of two hidden states have two eigenvalues above 0. With k = 4, at
// least 95 of 100 draws ask for k = 2. With k = 3 and the eigenvalues 1, .5 and .25, at most one has a remark.
func TestMoreFunctionsThanEigenvalues(t *testing.T) {
	named, reported := 0, 0
	for draw := range uint64(100) {
		rng := rand.New(rand.NewPCG(draw, 3))
		hidden, decaying := mat.NewDense(5_000, 1, nil), mat.NewDense(5_000, 1, nil)
		state, v := 0., rng.NormFloat64()
		for i := range 5_000 {
			if rng.Float64() < 0.05 {
				state = 1 - state
			}
			v = 0.5*v + math.Sqrt(0.75)*rng.NormFloat64()
			hidden.Set(i, 0, state+0.2*rng.NormFloat64())
			decaying.Set(i, 0, v)
		}
		advice := testkit.Must(testkit.Must(learn.Trajectories(1, hidden)).EDMD(4, 4)).Advice()
		if len(advice) == 1 && assert.Contains(t, advice[0], "lower k to 2") {
			named++
		}
		reported += len(testkit.Must(testkit.Must(learn.Trajectories(1, decaying)).EDMD(3, 3)).Advice())
	}
	t.Logf("%d named, %d reported", named, reported)
	assert.GreaterOrEqual(t, named, 95)
	assert.LessOrEqual(t, reported, 1)
}

// TestRareStatesAreNamed: three of five states occur often; the held-out pairs determine three values.
func TestRareStatesAreNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	x, state := mat.NewDense(4_900, 1, nil), 0
	for i := range 4_900 {
		if rng.Float64() < 0.1 {
			state = rng.IntN(3)
		}
		x.Set(i, 0, float64(state))
	}
	for i := range 3 {
		x.Set(2_000+i, 0, 3)
		x.Set(1_000+i, 0, 4)
	}
	pairs := testkit.Must(learn.Trajectories(1, x))
	pairs.Functions = net.Table{States: 5, Out: 4, Scale: 0.3}
	learned := mustLearn(t, pairs, 4, learn.Settings{Steps: 400, Options: pureGo(t)})
	if assert.Len(t, learned.Advice(), 1) {
		assert.Contains(t, learned.Advice()[0], "determine only 3 values: state 3 occurs only 6 times")
	}
}

// TestDataThatAreNoProcess have no transitions; and weights count, not rows.
func TestDataThatAreNoProcess(t *testing.T) {
	x, s := normal(100, 1, 1), learn.Settings{Steps: 100, Options: pureGo(t)}
	for _, op := range []learn.Operator{learn.Joint{X: x, Y: x}, learn.Pairs{From: x, To: x},
		learn.Joint{X: normal(100, 1, 2), Y: x, HeldOut: learn.None}} {
		_, advice := advised(t, op, 2, s)
		assert.NotContains(t, advice, "trajectories")
		assert.NotContains(t, advice, "two sets")
	}
	weights := make([]float64, 100)
	weights[3] = 1
	s.Steps = 1
	_, advice := advised(t, learn.Pairs{From: x, To: normal(100, 1, 3), Weights: weights, Functions: tiny}, 2, s)
	assert.Contains(t, advice, "on 1 pair of 1 coordinate")
	weights[5] = 1
	_, advice = advised(t, learn.Pairs{From: x, To: normal(100, 1, 3), Weights: weights, Functions: tiny}, 2, s)
	assert.NotContains(t, fmt.Sprint(advice), "a linear function fits")
}
