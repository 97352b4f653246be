package notebook

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
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

func TestLayoutHasTheStatesOfItsGrid(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoom-4"))
	require.Equal(t, w.Grid.N(), Layout(w.Grid).States())
}

func TestImageSheetRows(t *testing.T) {
	grey := imageSheet([]uint8{0, 50, 100, 150, 200, 250}, 1, 2, 1, 2)
	require.Equal(t, image.Rect(0, 0, 100, 52), grey.Bounds(), "three images of 48×24 in two rows, 4 apart")
	for at, value := range map[image.Point]uint8{{0, 0}: 0, {23, 23}: 0, {24, 0}: 50, {52, 0}: 100, {0, 28}: 200,
		{47, 51}: 250} {
		require.Equal(t, color.RGBA{value, value, value, 255}, grey.RGBAAt(at.X, at.Y), at)
	}
	require.Zero(t, grey.RGBAAt(50, 10), "between images")
	require.Zero(t, grey.RGBAAt(60, 40), "there is no fourth image")
	colour := imageSheet([]uint8{1, 2, 3}, 1, 1, 3, 9)
	require.Equal(t, image.Rect(0, 0, 48, 48), colour.Bounds())
	require.Equal(t, color.RGBA{1, 2, 3, 255}, colour.RGBAAt(47, 47))
}

func TestDotsNeedsKnownClasses(t *testing.T) {
	require.NoError(t, Dots([]float64{0, 1}, []float64{2, 4}, []int{0, 6}))
	require.ErrorContains(t, Dots([]float64{0}, []float64{0}, []int{9}), "class 9")
}
