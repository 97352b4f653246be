package gridworld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

func TestTransitionIsSymmetricAndDoublyStochastic(t *testing.T) {
	claim := papertest.Of(t, "laplacian-definition")
	for _, name := range Names() {
		g := testkit.Must(Load(name))
		p := g.Transition()
		// Count moves, since P stores only one half.
		moves := map[[2]int]int{}
		for s := range g.N() {
			for _, to := range g.next[4*s : 4*s+4] {
				moves[[2]int{s, int(to)}]++
			}
		}
		for pair, count := range moves {
			require.Equal(t, count, moves[[2]int{pair[1], pair[0]}], "%s: moves between %v", name, pair)
			claim.Printed("largest difference of the moves from i to j and from j to i, 12 environments",
				math.Abs(float64(count-moves[[2]int{pair[1], pair[0]}])), 0)
			require.Equal(t, float64(count)/4, p.At(pair[0], pair[1]))
		}
		row := make([]float64, g.N())
		for i := range row {
			for j := range row {
				row[j] = p.At(i, j)
			}
			require.Equal(t, 1.0, floats.Sum(row), "%s: row %d", name, i)
			claim.Printed("largest distance of a row's sum from 1", math.Abs(floats.Sum(row)-1), 0)
		}
	}
}

func TestStatesAreInRowMajorOrderAndCoordinatesCentred(t *testing.T) {
	g := testkit.Must(Load("GridRoom-4"))
	xy := g.Coordinates()
	require.Len(t, xy, 2*g.N())
	last := -1
	for s := range g.N() {
		row, col := g.Cell(s)
		require.Greater(t, row*g.Cols+col, last)
		last = row*g.Cols + col
		assert.InDelta(t, float64(row)/13-0.5, xy[2*s], 1e-7)
		assert.InDelta(t, float64(col)/13-0.5, xy[2*s+1], 1e-7)
	}
}
