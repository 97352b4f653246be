package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpreadIsMeanAndSampleDeviation(t *testing.T) {
	s := SpreadOf([]float64{1, 2, 3, 4})
	assert.InDelta(t, 2.5, s.Mean, 1e-15)
	assert.InDelta(t, math.Sqrt(5./3), s.Std, 1e-15)
	assert.Equal(t, "2.5000 ± 1.2910", s.String())
	mean, std := s.Numbers()
	assert.Equal(t, s, FromNumbers(mean, std, 4))

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
