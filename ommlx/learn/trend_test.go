package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
)

// autoregressive returns frames of x' = ρx + √(1−ρ²)n, started at x, or in equilibrium if x is NaN.
func autoregressive(rng *rand.Rand, frames int, rho, x float64) *mat.Dense {
	if math.IsNaN(x) {
		x = rng.NormFloat64()
	}
	all := mat.NewDense(frames, 1, nil)
	for t := range frames {
		all.Set(t, 0, x)
		x = rho*x + math.Sqrt(1-rho*rho)*rng.NormFloat64()
	}
	return all
}

// trendOf returns what [Pairs.trend] finds in trajectories.
func trendOf(t *testing.T, x ...mat.Matrix) string {
	t.Helper()
	pairs, err := Trajectories(1, x...)
	assert.NoError(t, err)
	return pairs.trend()
}

// TestStationaryProcessesHaveNoTrend: at most one in 200 trajectories of a stationary process is reported, however long
// its memory is, and no ensemble.
func TestStationaryProcessesHaveNoTrend(t *testing.T) {
	const draws = 200
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rho := range []float64{0, 0.9, 0.99, 0.999, 0.99999, -0.9} {
		for _, frames := range []int{60, 600} {
			found := 0
			for range draws {
				if trendOf(t, autoregressive(rng, frames, rho, math.NaN())) != "" {
					found++
				}
			}
			assert.LessOrEqual(t, found, draws/200, "ρ = %g, %d frames", rho, frames)
		}
		for range 10 {
			var x []mat.Matrix
			for range 20 {
				x = append(x, autoregressive(rng, 100, rho, math.NaN()))
			}
			assert.Empty(t, trendOf(t, x...), "ρ = %g", rho)
		}
	}
}

// TestHiddenStatesHaveNoTrend: noise around a mean that changes between two values every hundred frames.
func TestHiddenStatesHaveNoTrend(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 200 {
		x, mean := mat.NewDense(3_000, 1, nil), 1.0
		for i := range 3_000 {
			if rng.IntN(100) == 0 {
				mean = -mean
			}
			x.Set(i, 0, mean+rng.NormFloat64())
		}
		if trendOf(t, x) != "" {
			found++
		}
	}
	assert.LessOrEqual(t, found, 1)
}

// TestTrendsAreFound: drift, relaxation and trajectories that start out of equilibrium.
func TestTrendsAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	plus := func(x *mat.Dense, f func(t float64) float64) *mat.Dense {
		x.Apply(func(t, _ int, v float64) float64 { return v + f(float64(t)) }, x)
		return x
	}
	decay := func(from, rho float64) mat.Matrix {
		return plus(mat.NewDense(50, 1, nil), func(t float64) float64 { return from * math.Pow(rho, t) })
	}
	var relaxing, orbits []mat.Matrix
	for range 100 {
		relaxing = append(relaxing, autoregressive(rng, 100, 0.97, 4))
	}
	for range 10 {
		orbits = append(orbits, decay(rng.NormFloat64(), 0.95))
	}
	slowly := func(t float64) float64 { return t / 1000 }
	assert.Contains(t, trendOf(t, plus(autoregressive(rng, 5_000, 0.9, math.NaN()), slowly)), "mean")
	noise := autoregressive(rng, 3_000, 0, math.NaN())
	noise.Scale(0.1, noise)
	assert.Contains(t, trendOf(t, plus(noise, slowly)), "mean")
	brief := mat.NewDense(3, 1, nil)
	assert.Contains(t, trendOf(t, noise, brief, brief, brief, brief), "mean", "only one is long enough")
	gaps := plus(autoregressive(rng, 2_000, 0, math.NaN()), slowly) // every tenth frame
	gaps.Apply(func(t, _ int, v float64) float64 { return []float64{math.NaN(), v}[min(1, t%10)] }, gaps)
	assert.Contains(t, trendOf(t, gaps), "mean")
	assert.Contains(t, trendOf(t, gaps), "not stationary")
	moved, louder := autoregressive(rng, 3_000, 0, math.NaN()), autoregressive(rng, 3_000, 0.9, math.NaN())
	louder.Apply(func(t, _ int, v float64) float64 { return v * float64(1+t/2_500) }, louder)
	assert.Contains(t, trendOf(t, plus(moved, func(t float64) float64 { return math.Floor(t / 2_000) })),
		"first 13 twentieths")
	assert.Contains(t, trendOf(t, louder), "recording changed")
	assert.Contains(t, trendOf(t, relaxing...), "mean")
	assert.Contains(t, trendOf(t, decay(1, 0.9)), "step")
	assert.Contains(t, trendOf(t, orbits...), "step")
	constant, err := Trajectories(1, mat.NewDense(60, 1, nil))
	assert.NoError(t, err)
	assert.Equal(t, 0.0, constant.coordinate(0).all[0][7])
}

// TestEndlessTimescale: a function that does not decay, among too many pairs to count its sign changes.
func TestEndlessTimescale(t *testing.T) {
	made := path{lag: 1, parts: []part{{pairs: 99}}}
	l := Learned{Run: Run{Values: []float64{1, 1.0001}}, Task: Task{Pairs: Pairs{made: made}}}
	assert.Contains(t, l.fewTransitions(), "too short")
}
