package gridworld

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOfficialFactsAreOfTheLayouts recomputes them where the layouts are, and everywhere holds what any transition
// matrix has: an eigenvalue 1 for each component and none above it, and as many states as the maze that stands in.
func TestOfficialFactsAreOfTheLayouts(t *testing.T) {
	for _, name := range Names() {
		w, err := LoadWorld(name)
		require.NoError(t, err)
		f, err := Official(name)
		require.NoError(t, err)
		require.Equal(t, w.Grid.N(), f.States, name)
		require.Len(t, f.Top, 11, name)
		for i, value := range f.Top {
			if i < f.Components {
				require.InDelta(t, 1, value, 1e-12, name)
			} else {
				require.Less(t, value, f.Top[i-1]+1e-12, name)
				require.Less(t, value, 1-1e-6, name)
			}
		}
		if !w.Grid.Generated {
			require.Equal(t, w.Grid.Components(), f.Components, name)
			require.InDeltaSlice(t, w.Truth.Values[:11], f.Top, 1e-12, name)
			require.InDelta(t, w.Truth.GapAtTop(11), f.Gap(), 1e-12, name)
		}
	}
	_, err := Official("GridMaze-8")
	require.ErrorContains(t, err, "there is no environment")
}
