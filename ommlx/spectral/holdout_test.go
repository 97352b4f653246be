package spectral_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/spectral"
)

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
		trained, heldOut, blocks := spectral.HoldOut([]int{c.pairs}, c.lag, 0)
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
