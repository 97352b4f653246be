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
