package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/verify"
)

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
	require.Nil(t, Landscape(2, 1, nil).Paths)
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
		Cosines("wide", mat.NewDense(7, 1, []float64{1, 0, 0, 0, 0, 0, 0}), verify.Eye(7)).ColumnNames)
}
