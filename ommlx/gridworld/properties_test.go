package gridworld

import (
	"flag"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx/spectral"
)

// The same cases in every run, so that a commit that passed once passes again; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// layouts draws grids of up to 6×6 cells in any number of parts, with walls at the border or without.
func layouts() *rapid.Generator[*Grid] {
	return rapid.Custom(func(t *rapid.T) *Grid {
		rows, cols := rapid.IntRange(1, 6).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "cols")
		cells := rapid.SliceOfN(rapid.SampledFrom([]byte("X  ")), rows*cols, rows*cols).Draw(t, "cells")
		cells[rapid.IntRange(0, len(cells)-1).Draw(t, "a state")] = ' '
		var layout strings.Builder
		for row := range rows {
			layout.Write(cells[row*cols : (row+1)*cols])
			layout.WriteByte('\n')
		}
		g, err := parse("drawn", layout.String())
		require.NoError(t, err)
		require.Equal(t, layout.String(), g.String())
		return g
	})
}

// P of any layout is doubly stochastic and symmetric, its spectrum lies in [−1, 1], and 1 is there once for each part.
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
		truth, err := spectral.SymEigen(p)
		require.NoError(t, err)
		require.LessOrEqual(t, truth.Values[0], 1+1e-12)
		require.GreaterOrEqual(t, truth.Values[g.N()-1], -1-1e-12)
		require.Equal(t, g.Components(), truth.Eigenspaces()[0].Dim())
	})
}

// Data of any layout, episode and discount walk along moves; their pairs are a law, and the exact mixture is a
// transition matrix with the eigenvalues that its closed form says.
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
		w, err := e.PairMatrix(gamma)
		require.NoError(t, err)
		require.InDelta(t, 1, mat.Sum(w), 1e-12)
		require.GreaterOrEqual(t, mat.Min(w), 0.0)

		mixture, err := GeometricTransition(p, gamma, length)
		require.NoError(t, err)
		for i := range g.N() {
			require.InDelta(t, 1, floats.Sum(mat.Row(nil, i, mixture)), 1e-12)
		}
		truth, err := spectral.SymEigen(p)
		require.NoError(t, err)
		var applied mat.Dense
		applied.Mul(mixture, truth.Vectors)
		for i, mu := range truth.Values {
			value, err := GeometricEigenvalue(mu, gamma, length)
			require.NoError(t, err)
			want := mat.Col(nil, i, truth.Vectors)
			floats.Scale(value, want)
			require.InDeltaSlice(t, want, mat.Col(nil, i, &applied), 1e-12)
		}
	})
}
