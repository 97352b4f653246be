package learn_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/spectral"
)

// TestClustersOfPoints: five strips of points without an edge between them, whose slowest functions are nearly
// degenerate. After 3,000 steps the last values are off by 1e-3.
func TestClustersOfPoints(t *testing.T) {
	const n, k = 300, 7
	x := normal(n, 2, 5)
	for i := range n {
		x.SetRow(i, []float64{3*x.At(i, 0) + 100*float64(i%5), x.At(i, 1)})
	}
	g := learn.Graph{Points: x}
	exact := testkit.Must(g.Exact(k))
	learned := mustLearn(t, g, k, learn.Settings{})
	for i, v := range exact.Values {
		assert.InDelta(t, v, learned.Values[i], 1e-5)
		assert.InDelta(t, v, learned.Values[i], learned.Bounds[i]+1e-6)
	}
	assert.Contains(t, fmt.Sprint(learned.Advice()), "5 connected components")
}

// TestRepeatedSamples: each sample occurs four times, at distance 0 from its copies.
func TestRepeatedSamples(t *testing.T) {
	const n, k = 100, 3
	points, x := normal(n/4, 2, 6), mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, points.RawRowView(i/4))
	}
	kernel := learn.Kernel{Samples: x, K: func(x, y *Node) *Node {
		return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -0.5))
	}}
	learned := mustLearn(t, kernel, k, learn.Settings{Steps: 2_000})
	truth := testkit.Must(spectral.SymEigen(gram(x, func(d float64) float64 { return math.Exp(-d * d / 2) })))
	assert.InDeltaSlice(t, truth.Values[:k], learned.Values, 2e-3)
	assert.Empty(t, learned.Advice())
	_, advice := advised(t, learn.Graph{Points: x, Neighbours: 3}, 2, learn.Settings{Steps: 10, Options: pureGo(t)})
	assert.Contains(t, advice, "25 connected components")
}

// TestSlowStates: the timescale of two states that change with probability 1e-6, 5·10⁵ steps, needs the sixth digit of
// the value.
func TestSlowStates(t *testing.T) {
	const change = 1e-6
	states := learn.Graph{Nodes: 2, Edges: [][2]int{{0, 0}, {0, 1}, {1, 1}}, Weights: []float64{1 - change, change,
		1 - change}}
	learned := mustLearn(t, states, 2, learn.Settings{})
	times, _ := learned.Timescales(1)
	assert.InEpsilon(t, -1/math.Log(1-2*change), times[1], 0.1)
	assert.Empty(t, learned.Advice())
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

// TestViewsOfOtherScales: views whose units differ by a factor of 10⁹ have the singular values ρ^n.
func TestViewsOfOtherScales(t *testing.T) {
	const n, rho = 5_000, 0.8
	x := normal(n, 1, 8)
	y := autoregress(x, normal(n, 1, 9), rho)
	x.Scale(1e6, x)
	y.Scale(1e-3, y)
	learned := mustLearn(t, learn.Joint{X: x, Y: y}, 3, learn.Settings{Steps: 500})
	for i, exact := range []float64{1, rho, rho * rho} {
		assert.InDelta(t, exact, learned.Values[i], 0.05)
		assert.InDelta(t, exact, learned.HeldOut.Values[i], 4*learned.HeldOut.Errors[i]+1e-9)
	}
	assert.Empty(t, learned.Advice())
}
