package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/gridworld"
)

func TestTableIsMarkdown(t *testing.T) {
	require.Equal(t, "| μ | gap |\n| --- | --- |\n| 1 | $2$ |\n", table([]string{"μ", "gap"}, [][]string{{"1", "$2$"}}))
}

// A learned function in the true eigenspace, of any sign and rotation, has to stand above its own picture.
func TestBesideDrawsTheNearestTrueFunction(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoomSym-4")
	require.NoError(t, err)
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
	maps, err := Beside(w, learned, 1, k-1)
	require.NoError(t, err)
	require.Len(t, maps.Maps, 4)
	for c, mode := range []int{1, k - 1} {
		require.InDeltaSlice(t, mat.Col(nil, mode-1, learned), maps.Maps[c].Values, 1e-12)
		require.InDeltaSlice(t, maps.Maps[c].Values, maps.Maps[c+2].Values, 1e-9)
		require.Contains(t, maps.Maps[c].Title, "cos 1.000")
	}
	require.NoError(t, Show(maps))

	_, err = Beside(w, learned, k+1)
	require.ErrorContains(t, err, "does not exist")
}

func TestGridKeepsTheLayout(t *testing.T) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	require.Equal(t, w.Grid.N(), Grid(w.Grid).States())
}
