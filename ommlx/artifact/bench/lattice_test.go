package bench

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// Differences are of second order, extrapolation is better, and the lattices end before the next one takes too long.
func TestLatticesGrowUpToTheLimit(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		rows := testkit.Must(testkit.Must(newOscillator(dim, io.Discard)).lattices(Limits{Memory: 1, Seconds: 0.5}))
		require.Greater(t, len(rows), 1)
		require.Less(t, rows[len(rows)-1].Points, 512)
		for i, row := range rows[1:] {
			assert.Equal(t, 2*rows[i].Points, row.Points)
			assert.InDelta(t, 4, rows[i].Error/row.Error, 0.8)
			assert.Less(t, row.Extrapolated, row.Error/2)
		}
	}
}
