package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The interval covers the true difference in 95% of samples, also with unequal spreads and numbers of runs, or a single
// run. Welch's interval is approximate.
func TestIntervalHasItsConfidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	draw := func(n int, std float64) Spread {
		values := make([]float64, n)
		for i := range values {
			values[i] = std * rng.NormFloat64()
		}
		return SpreadOf(values)
	}
	for _, c := range []struct {
		ours, paper       int
		oursStd, paperStd float64
	}{{5, 5, 1, 1}, {3, 4, 1, 1}, {10, 4, 1, 3}, {4, 10, 1, 3}, {1, 5, 1, 1}, {1, 3, 2, 2}} {
		const trials = 5_000
		covered := 0.0
		for range trials {
			a, b := draw(c.ours, c.oursStd), draw(c.paper, c.paperStd)
			if d, half := a.Minus(b); math.Abs(d) <= half {
				covered++
			}
		}
		assert.InDelta(t, 0.95, covered/trials, 0.02, "%+v", c)
	}
	require.Contains(t, Rule(1), "95%")
}

func TestSpreadIsMeanAndSampleDeviation(t *testing.T) {
	s := SpreadOf([]float64{1, 2, 3, 4})
	assert.InDelta(t, 2.5, s.Mean, 1e-15)
	assert.InDelta(t, math.Sqrt(5./3), s.Std, 1e-15)
	assert.Equal(t, "2.5000 ± 1.2910", s.String())
	mean, std := s.Numbers()
	assert.Equal(t, Spread{Mean: s.Mean, Std: s.Std}, FromNumbers(mean, std))

	single := SpreadOf([]float64{0.7})
	assert.Equal(t, "0.7000 (1 run)", single.String(), "one run has no spread")
	_, std = single.Numbers()
	assert.Nil(t, std)

	none := SpreadOf(nil)
	assert.Equal(t, "all runs diverged", none.String())
	mean, std = none.Numbers()
	require.Nil(t, mean)
	require.Nil(t, std)
	assert.Equal(t, "all runs diverged", SpreadOf([]float64{1, math.NaN()}).String())
}
