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
	"omm-go/ommlx/spectral"
)

// TestMoreFunctionsThanEigenvalues: observations of two hidden states have two eigenvalues above 0. With k = 4, at
// least 95 of 100 draws ask for k = 2.
func TestMoreFunctionsThanEigenvalues(t *testing.T) {
	named := 0
	for draw := range uint64(100) {
		hidden := testkit.Must(learn.Trajectories(1, jumps(testkit.NewRand(draw), 5_000)))
		if advice := testkit.Must(hidden.EDMD(4, 4)).Advice(); len(advice) == 1 &&
			assert.Contains(t, advice[0], "lower k to 2") {
			named++
		}
	}
	assert.GreaterOrEqual(t, named, 95)
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

// TestTwoWells that no frame connects: the eigenvalue 1 occurs twice, and no function vanishes.
func TestTwoWells(t *testing.T) {
	const rho = 0.9
	var wells []mat.Matrix
	for side := range 2 {
		x := testkit.Autoregressive(testkit.NewRand(uint64(side)), 3_000, rho)
		x.Apply(func(_, _ int, v float64) float64 { return v + 10*float64(side) - 5 }, x)
		wells = append(wells, x)
	}
	learned, advice := advised(t, testkit.Must(learn.Trajectories(1, wells...)), 4, learn.Settings{Steps: 800})
	assert.InDeltaSlice(t, []float64{1, 1, rho, rho}, learned.Values, 0.04)
	assert.InDeltaSlice(t, []float64{1, 1, rho, rho}, learned.HeldOut.Values, 0.06)
	assert.Contains(t, advice, "in no pair")
	assert.NotContains(t, advice, "vanished")
}

// TestCosine: the correlation of cos ωt one frame later is cos ω.
func TestCosine(t *testing.T) {
	x := mat.NewDense(4_000, 1, nil)
	x.Apply(func(t, _ int, _ float64) float64 { return math.Cos(0.3 * float64(t)) }, x)
	learned := testkit.Must(testkit.Must(learn.Trajectories(1, x)).EDMD(3, 4))
	for n, v := range learned.Values {
		assert.InDelta(t, math.Cos(0.3*float64(n)), v, 2e-3)
	}
}

var tiny = net.MLP{In: 1, Hidden: []int{4}, Out: 2}

// TestTrajectories: no pair spans two trajectories or a gap, and trajectories not longer than the lag are skipped.
func TestTrajectories(t *testing.T) {
	nan := math.NaN()
	a, b, c := numbers(0, 1, 2, 3), numbers(10, 11, 12, nan, 14, nan, nan, 17, 18, 19, 20), numbers(30, 31)
	pairs := testkit.Must(learn.Trajectories(2, a, b, c))
	assert.Equal(t, []float64{0, 1, 10, 17, 18}, mat.Col(nil, 0, pairs.From))
	assert.Equal(t, []float64{2, 3, 12, 19, 20}, mat.Col(nil, 0, pairs.To))
	pairs.Functions = tiny
	_, advice := advised(t, pairs, 2, learn.Settings{Steps: 1, Options: pureGo(t)})
	assert.Contains(t, advice, "3 frames")
	assert.Contains(t, advice, "2 parts")
	for word, ask := range map[string]struct {
		lag int
		x   []mat.Matrix
	}{
		"got 0": {1, nil}, "lag of 0": {0, []mat.Matrix{a}}, "x[1] is nil": {1, []mat.Matrix{a, nil}},
		"coordinate 1 is NaN": {1, []mat.Matrix{mat.NewDense(2, 2, []float64{0, nan, 1, nan})}},
		"longest has 4":       {4, []mat.Matrix{a, b, c}}, "x[1] is 2×2": {1, []mat.Matrix{a, mat.NewDense(2, 2, nil)}},
		", at least 1": {1, []mat.Matrix{&mat.Dense{}}},
	} {
		_, err := learn.Trajectories(ask.lag, ask.x...)
		requireOneLine(t, err, word)
	}
	infinite := testkit.Must(learn.Trajectories(1, a, numbers(1, 2, math.Inf(1), 3)))
	requireOneLine(t, learnError(infinite, 1, learn.Settings{Steps: 1}), "x[1], frame 2")
	infinite.Functions = net.Table{States: 2, Out: 1, Scale: 1}
	requireOneLine(t, learnError(infinite, 1, learn.Settings{Steps: 1}), "x[0], frame 2")
}

// TestTimescales have the errors of the held-out values, or none.
func TestTimescales(t *testing.T) {
	values := []float64{1, math.Exp(-0.5), 0, -math.Exp(-2), 1.2}
	times, errors := learn.Run{Values: values}.Timescales(3)
	assert.True(t, math.IsInf(times[0], 1))
	assert.InDelta(t, 6, times[1], 1e-12)
	for i, time := range times {
		assert.Equal(t, i > 1, math.IsNaN(time), "λ ≤ 0 and λ > 1 have no decay time")
		assert.True(t, math.IsNaN(errors[i]))
	}
	held := &spectral.PairScores{Values: values[:2], Errors: []float64{0, 0.01}}
	times, errors = learn.Run{Values: []float64{1, 0.9}, HeldOut: held}.Timescales(3)
	assert.InDelta(t, 6, times[1], 1e-12)
	longer := -3 / math.Log(values[1]+0.005)
	shorter := -3 / math.Log(values[1]-0.005)
	assert.InEpsilon(t, longer-shorter, errors[1], 1e-3)
}

// TestFewTransitions: a value that rests on two transitions, or none.
func TestFewTransitions(t *testing.T) {
	noise := normal(1_200, 1, 3)
	step := mat.NewDense(1_200, 1, nil)
	step.Apply(func(i, _ int, _ float64) float64 {
		return math.Copysign(1, math.Abs(float64(i)-599.5)-200) + 0.1*noise.At(i, 0)
	}, step)
	for word, x := range map[string][]mat.Matrix{"only 2 pairs": {step},
		"in no pair": {step.Slice(0, 400, 0, 1), step.Slice(400, 800, 0, 1)}} {
		pairs := testkit.Must(learn.Trajectories(1, x...))
		learned := testkit.Must(pairs.EDMD(3, 2))
		assert.Contains(t, fmt.Sprint(learned.Advice()), word)
		assert.Greater(t, learned.HeldOut.Errors[1], 1./1_200, "no rate is known better than to one transition")
	}
}

// TestPairsOfATrajectory: pairs that the caller cut from a trajectory are held out in blocks, tested for trends and
// compared with its length, as those of Trajectories.
func TestPairsOfATrajectory(t *testing.T) {
	const lag = 20
	walk := normal(2_000, 10, 4)
	for i := 1; i < 2_000; i++ {
		for j := range 10 {
			walk.Set(i, j, walk.At(i-1, j)+walk.At(i, j))
		}
	}
	drift := normal(3_000, 1, 5)
	drift.Apply(func(i, _ int, v float64) float64 { return 1e-3*float64(i) + 0.1*v }, drift)
	for word, x := range map[string]*mat.Dense{"so its value rests on": walk, "not stationary": drift} {
		made := testkit.Must(learn.Trajectories(lag, x))
		cut := learn.Pairs{From: made.From, To: made.To}
		one, other := testkit.Must(made.EDMD(1, 2)), testkit.Must(cut.EDMD(1, 2))
		assert.Equal(t, one.HeldOut, other.HeldOut)
		assert.Contains(t, fmt.Sprint(one.Advice()), word)
		assert.Equal(t, one.Advice(), other.Advice())
		_, advice := advised(t, cut, 2, learn.Settings{Steps: 1, Options: pureGo(t)})
		assert.NotEqual(t, "[]", advice)
	}
	made := testkit.Must(learn.Trajectories(lag, walk)) // and then ten pairs of a shorter trajectory
	var from, to mat.Dense
	from.Stack(made.From, normal(10, 10, 6))
	to.Stack(made.To, normal(10, 10, 7))
	other := testkit.Must(learn.Pairs{From: &from, To: &to}.EDMD(1, 2))
	assert.Contains(t, fmt.Sprint(other.Advice()), "so its value rests on")
	cut := learn.Pairs{From: drift, To: drift.Slice(0, 3_000, 0, 1), Functions: tiny} // x' = x
	_, advice := advised(t, cut, 2, learn.Settings{Steps: 1, Options: pureGo(t)})
	assert.NotContains(t, advice, "stationary")
}
