package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

func TestEigenfunctionsDrawsNearestTrueFunction(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoomSym-4"))
	degenerate := -1
	for _, space := range w.Truth.Eigenspaces() {
		if space.Dim() == 2 {
			degenerate = space.First
			break
		}
	}
	require.Positive(t, degenerate, "a symmetric grid has a degenerate pair")
	k := degenerate + 2
	learned := mat.DenseCopyOf(w.Truth.Vectors.Slice(0, w.Grid.N(), 0, k))
	learned.Scale(-2, learned)
	for s := range w.Grid.N() {
		a, b := learned.At(s, k-2), learned.At(s, k-1)
		learned.Set(s, k-2, 0.6*a+0.8*b)
	}
	maps := testkit.Must(Eigenfunctions(w, learned, 1, k-1))
	require.Len(t, maps.Maps, 4)
	for c, mode := range []int{1, k - 1} {
		require.InDeltaSlice(t, mat.Col(nil, mode-1, learned), maps.Maps[c].Values, 1e-12)
		require.InDeltaSlice(t, maps.Maps[c].Values, maps.Maps[c+2].Values, 1e-9)
		require.Contains(t, maps.Maps[c].Title, "cos 1.000")
	}
	require.NoError(t, Show(maps))

	_, err := Eigenfunctions(w, learned, k+1)
	require.ErrorContains(t, err, "out of range")
}

func TestWalkHasTheMovesOfTheEnvironment(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridMaze-7"))
	walk := Walk(w)
	again := mat.NewSymDense(w.Grid.N(), nil)
	for i, e := range walk.Edges {
		again.SetSym(e[0], e[1], walk.Weights[i])
	}
	require.True(t, mat.Equal(w.P, again))
	row, column := w.Grid.Cell(3)
	require.InDeltaSlice(t, []float64{float64(row) / float64(w.Grid.Rows), float64(column) / float64(w.Grid.Cols)},
		mat.Row(nil, 3, walk.Features), 1e-15)
}

func TestLandscapeHasItsMinimaAndFlows(t *testing.T) {
	land := Landscape(2, 1, [][2]float64{{1.4, 1.4}})
	require.InDelta(t, -2, land.F(1, 0), 1e-12)
	require.InDelta(t, -1, land.F(0, -1), 1e-12)
	require.Less(t, -2.0, land.Levels[0])
	require.Len(t, land.Paths[0].Lines, 4)
	for _, path := range land.Paths[0].Lines {
		end := path[len(path)-1]
		require.InDelta(t, 1, end.X*end.X, 1e-6)
		require.InDelta(t, 0, end.Y, 1e-6)
	}
	require.Less(t, Landscape(2, -1, nil).Levels[0], -2.0)
}

func TestCosinesOfColumnsHaveNames(t *testing.T) {
	v, w := mat.NewDense(2, 1, []float64{3, -4}), mat.NewDense(2, 2, []float64{1, 0, 0, 2})
	m := Cosines("a map", v, w)
	require.InDeltaSlice(t, []float64{0.6, 0.8}, m.Values, 1e-15)
	require.Equal(t, []string{"v₁"}, m.RowNames)
	require.Equal(t, []string{"w₁", "w₂"}, m.ColumnNames)
	require.NoError(t, Show(draw.HeatMaps{Shares: true, Maps: []draw.HeatMap{m}}))
	require.Equal(t, "x₁₀", numbered("x", 10)[9])
	require.Equal(t, []string{"w₁", "", "w₃", "", "w₅", "", "w₇"},
		Cosines("wide", mat.NewDense(7, 1, []float64{1, 0, 0, 0, 0, 0, 0}), linalg.IdentityMatrix(7)).ColumnNames)
}
