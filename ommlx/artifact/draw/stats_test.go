package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMeanStd(t *testing.T) {
	mean, std, err := meanStd([]float64{1, 2, 3, 4})
	require.NoError(t, err)
	assert.InDelta(t, 2.5, mean, 1e-15)
	assert.InDelta(t, math.Sqrt(5.0/3), std, 1e-15, "the divisor is n − 1")

	mean, std, err = meanStd([]float64{0.7})
	require.NoError(t, err)
	assert.Equal(t, 0.7, mean)
	assert.True(t, math.IsNaN(std), "one run has no spread")

	for _, bad := range [][]float64{nil, {}, {1, math.NaN()}, {math.Inf(1)}} {
		_, _, err = meanStd(bad)
		assert.Error(t, err, "%v", bad)
	}
}
