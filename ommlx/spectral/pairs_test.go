package spectral

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// TestScorePairs: functions 1 and x of a chain on ±1 that turns in one of four pairs have the values 1 and ½, however
// they are mixed and scaled.
func TestScorePairs(t *testing.T) {
	const n = 1_600
	start, end := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	weights := make([]float64, n) // only the pairs that stay
	rng := testkit.NewRand(1)
	for p := range n {
		x := float64(1 - 2*rng.IntN(2))
		stays := p%8 < 6
		start.SetRow(p, []float64{1, x})
		if weights[p] = 1; !stays {
			x, weights[p] = -x, 0
		}
		end.SetRow(p, []float64{1, x})
	}
	for _, mixture := range [][]float64{{1, 0, 0, 1}, {0.6, 0.8, -0.8, 0.6}, {1, 1, 1e-3, -1e-3}} {
		by := mat.NewDense(2, 2, mixture)
		scores := testkit.Must(ScorePairs(linalg.Product(start, by), linalg.Product(end, by), nil, xslices.Iota(0, n)))
		assert.InDeltaSlice(t, []float64{1, 0.5}, scores.Values, 0.01)
		assert.InDeltaSlice(t, []float64{0, math.Sqrt2 * math.Sqrt(3.0/4/n)}, scores.Errors, 1e-3)
		assert.InDelta(t, 1.25, scores.Score, 0.01)
		assert.Equal(t, n, scores.Pairs)
	}
	assert.InDelta(t, 1, testkit.Must(ScorePairs(start, end, weights, xslices.Iota(0, n))).Values[1], 1e-12)
	constant := start.Slice(0, n, 0, 1).(*mat.Dense)
	one := testkit.Must(ScorePairs(constant, constant, nil, xslices.Iota(0, n)))
	assert.Equal(t, []float64{1}, one.Values)
	repeated := mat.NewDense(4, 2, ones(8))
	assert.True(t, math.IsNaN(testkit.Must(ScorePairs(repeated, repeated, nil, xslices.Iota(0, 4))).Values[1]))
	_, err := ScorePairs(start, end, ones(3), xslices.Iota(0, n))
	assert.ErrorContains(t, err, "3 weights")
	_, err = ScorePairs(start, repeated, nil, nil)
	assert.ErrorContains(t, err, "4×2")
}

// TestScoresOfNoise: functions of independent pairs have values of zero within their errors, although the best of their
// span would not, also if one of them is a mixture with the constant or the functions have heavy tails.
func TestScoresOfNoise(t *testing.T) {
	const k, draws = 4, 100
	for _, n := range []int{20, 50, 200} {
		for _, power := range []float64{1, 3} {
			rng, above := rand.New(rand.NewPCG(uint64(n), 1)), 0
			var values []float64
			for range draws {
				start, end := mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
				draw := func(_, j int, _ float64) float64 {
					return []float64{1, 1, 0, 0}[j] + 0.1*math.Pow(rng.NormFloat64(), power)
				}
				start.Apply(draw, start)
				end.Apply(draw, end)
				scores := testkit.Must(ScorePairs(start, end, nil, xslices.Iota(0, n)))
				values = append(values, scores.Values[1])
				for i := 1; i < k; i++ {
					if scores.Values[i] > 3*scores.Errors[i] {
						above++
						break
					}
				}
			}
			mean, deviation := stat.MeanStdDev(values, nil)
			t.Logf("%d pairs, power %g: %d draws of %d above three errors; values %.3f ± %.3f", n, power, above, draws,
				mean, deviation)
			assert.LessOrEqual(t, above, draws/20)
			assert.InDelta(t, 0, mean, 0.1)
		}
	}
}

// TestErrorsOfCorrelatedPairs: over draws of an autoregressive process, the values of blocks of consecutive pairs with
// a lag of ten spread as their errors predict, or less; the errors of independent pairs are far too small.
func TestErrorsOfCorrelatedPairs(t *testing.T) {
	const n, lag, draws, rho = 2_000, 10, 40, 0.95
	rng := rand.New(rand.NewPCG(1, 2))
	blocks := make([]int, n)
	for p := range blocks {
		blocks[p] = p / 100
	}
	var values, errors, naive []float64
	for range draws {
		frames := testkit.Autoregressive(rng, n+lag, 1, rho) // the first coordinate is constant
		start, end := linalg.Rows(frames, xslices.Iota(0, n)), linalg.Rows(frames, xslices.Iota(lag, n))
		scores := testkit.Must(ScorePairs(start, end, nil, blocks))
		values, errors = append(values, scores.Values[1]), append(errors, scores.Errors[1])
		naive = append(naive, testkit.Must(ScorePairs(start, end, nil, xslices.Iota(0, n))).Errors[1])
	}
	mean, spread := stat.MeanStdDev(values, nil)
	t.Logf("%.3f ± %.3f; errors %.3f, of independent pairs %.3f", mean, spread, stat.Mean(errors, nil),
		stat.Mean(naive, nil))
	assert.InDelta(t, math.Pow(rho, lag), mean, 0.05)
	assert.Greater(t, stat.Mean(errors, nil), 0.9*spread)
	assert.Less(t, stat.Mean(errors, nil), 1.8*spread)
	assert.Less(t, stat.Mean(naive, nil), spread/2)
}

// TestHoldOut: how many pairs are held out, in how many parts, and that no training pair is within a lag of them.
func TestHoldOut(t *testing.T) {
	for _, c := range []struct{ pairs, lag, heldOut, parts int }{
		{10_000, 0, 1_000, 20}, // a tenth, of blocks of a hundredth
		{400, 0, 48, 24},       // at least 50, in whole blocks
		{60, 0, 20, 20},        // at most a third
		{2_000, 5, 400, 20},    // at least 20 parts
		{2_000, 10, 640, 16},   // of four lags
		{2_000, 100, 666, 4},   // or of a twelfth of the pairs
	} {
		trained, heldOut, blocks := HoldOut([]int{c.pairs}, c.lag, 0)
		require.Len(t, heldOut, c.heldOut, "%v", c)
		require.Len(t, slices.Compact(blocks), c.parts, "%v", c)
		nearest := float64(c.pairs)
		for _, a := range trained {
			for _, b := range heldOut {
				nearest = min(nearest, math.Abs(float64(a-b)))
			}
		}
		require.Equal(t, float64(min(c.lag, c.pairs/12/4)+1), nearest, "%v", c)
	}
}
