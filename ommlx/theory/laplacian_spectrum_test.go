package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 3.1 says that the top eigenvectors of L = I − P carry the geometry, and appendix C.1 that the smallest
// eigenvalue of L can be negative, but at least −1 by Gershgorin, so that I is added to L. Both exchange the ends: it
// is P that is in [−1, 1]; L is in [0, 2] and its smallest eigenvalue is 0 exactly. The vectors wanted are the lowest
// of L. The top one changes sign at each step of the open room; with I added to L it would be the first to be learned.
func TestLaplacianOfAGridWorldIsNeverNegative(t *testing.T) {
	shift, ends := claims.Of(t, "gershgorin-shift"), claims.Of(t, "top-eigenvectors-of-l")
	for _, name := range []string{"GridRoom-1", "GridMaze-7", "GridMaze-9"} {
		g, err := gridworld.Load(name)
		require.NoError(t, err)
		p := mat.DenseCopyOf(g.Transition())
		n, _ := p.Dims()
		l := Combine(1, Eye(n), -1, p)
		values := eigenvaluesOf(t, l)
		ommtest.Within(t, shift.Corrected, "distance of the smallest eigenvalue of I − P from 0",
			math.Abs(values[0]), 1e-12)
		ommtest.Within(t, shift.Corrected, "excess of the largest eigenvalue of I − P over 2",
			ommtest.Excess(values[n-1], 2), 1e-12)
		for i := range n {
			row := mat.Row(nil, i, p)
			ommtest.Within(t, shift.Corrected, "excess of Gershgorin's discs of P over [−1, 1]",
				ommtest.Excess(floats.Norm(row, 1), 1), 1e-13)
			require.GreaterOrEqual(t, p.At(i, i), 0.0)
		}
	}
	// The open room of 15×15 cells: alternating in both directions, λ(P) = cos(14π/15).
	g, err := gridworld.Load("GridRoom-1")
	require.NoError(t, err)
	const side = 15
	l := Combine(1, Eye(side*side), -1, g.Transition())
	require.InDelta(t, 1+math.Cos(math.Pi/side), eigenvaluesOf(t, l)[side*side-1], 1e-12)
	top := mat.NewDense(side*side, 1, nil)
	firstRow, firstCol := g.Cell(0)
	for s := range side * side {
		row, col := g.Cell(s)
		mode := func(x int) float64 { return math.Cos(math.Pi * float64(side-1) * (float64(x) + 0.5) / side) }
		top.Set(s, 0, mode(row-firstRow)*mode(col-firstCol))
	}
	ommtest.Within(t, ends.Corrected, "residual of the alternating product of cosines as top eigenvector of L",
		matrixDifference(Scaled(1+math.Cos(math.Pi/side), top), Product(l, top)), 1e-12)
	neighbours, opposite := 0, 0
	for s := range side*side - 1 {
		row, _ := g.Cell(s)
		if next, _ := g.Cell(s + 1); next == row {
			neighbours++
			if top.At(s, 0)*top.At(s+1, 0) < 0 {
				opposite++
			}
		}
	}
	require.Equal(t, neighbours, opposite)
	ommtest.Beyond(t, ends.Printed, "share of neighbours between which the top eigenvector of L changes its sign",
		float64(opposite)/float64(neighbours), 0.5)
	smooth := mat.NewDense(side*side, 1, nil)
	smooth.Apply(func(int, int, float64) float64 { return 1 }, smooth)
	ommtest.Within(t, ends.Corrected, "residual of the constant as lowest eigenvector of L",
		mat.Norm(Product(l, smooth), 2), 1e-12)
	// With the identity added to L the same mode is on top; the constant is at the other end.
	ommtest.Beyond(t, shift.Printed, "eigenvalue of the fastest mode of L + I, less that of the constant",
		1+math.Cos(math.Pi/side), 0)
}
