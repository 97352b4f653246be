package gridworld

import (
	"flag"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
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

// A fixed seed makes every run test the same cases; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// layouts draws grids of up to 6×6 cells, with or without walls at the border, in any number of parts.
func layouts() *rapid.Generator[*Grid] {
	return rapid.Custom(func(t *rapid.T) *Grid {
		rows, cols := rapid.IntRange(1, 6).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "cols")
		open := rapid.SliceOfN(rapid.Bool(), rows*cols, rows*cols).Draw(t, "open")
		open[rapid.IntRange(0, len(open)-1).Draw(t, "a state")] = true
		return newGrid("drawn", rows, cols, open)
	})
}

// P of any layout is doubly stochastic and symmetric, its spectrum lies in [−1, 1], and 1 has multiplicity
// [Grid.Components].
func TestPropertyTransition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := layouts().Draw(t, "layout")
		p := g.Transition()
		for i := range g.N() {
			row := mat.Row(nil, i, p)
			require.InDelta(t, 1, floats.Sum(row), 1e-15)
			require.GreaterOrEqual(t, floats.Min(row), 0.0)
			from, col := g.Cell(i)
			for j, v := range row {
				to, other := g.Cell(j)
				steps := math.Abs(float64(from-to)) + math.Abs(float64(col-other))
				require.Equal(t, steps <= 1 && (steps == 1 || v > 0), v > 0,
					"a move goes to the next cell, a wall sends back")
			}
		}
		truth := testkit.Must(spectral.SymEigen(p))
		require.LessOrEqual(t, truth.Values[0], 1+1e-12)
		require.GreaterOrEqual(t, truth.Values[g.N()-1], -1-1e-12)
		require.Equal(t, g.Components(), truth.Eigenspaces()[0].Dim())
	})
}

// For any layout, episode length and discount, episodes follow moves, pairs have a law, and the exact mixture is a
// transition matrix with the eigenvalues of its closed form.
func TestPropertyPairLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := layouts().Draw(t, "layout")
		length := rapid.IntRange(1, 12).Draw(t, "length")
		gamma := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 0.999)).Draw(t, "gamma")
		e, err := Collect(g, rapid.IntRange(1, 60).Draw(t, "transitions"), length, int64(rapid.Int16().Draw(t, "seed")))
		require.NoError(t, err)
		p := g.Transition()
		for i := range e.Count {
			episode := e.Episode(i)
			for s := range length {
				require.Positive(t, p.At(int(episode[s]), int(episode[s+1])))
			}
		}
		w := testkit.Must(e.PairMatrix(gamma))
		require.InDelta(t, 1, mat.Sum(w), 1e-12)
		require.GreaterOrEqual(t, mat.Min(w), 0.0)

		mixture := testkit.Must(GeometricTransition(p, gamma, length))
		for i := range g.N() {
			require.InDelta(t, 1, floats.Sum(mat.Row(nil, i, mixture)), 1e-12)
		}
		truth := testkit.Must(spectral.SymEigen(p))
		var applied mat.Dense
		applied.Mul(mixture, truth.Vectors)
		for i, mu := range truth.Values {
			value := testkit.Must(GeometricEigenvalue(mu, gamma, length))
			want := mat.Col(nil, i, truth.Vectors)
			floats.Scale(value, want)
			require.InDeltaSlice(t, want, mat.Col(nil, i, &applied), 1e-12)
		}
	})
}
