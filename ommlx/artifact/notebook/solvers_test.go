package notebook

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

func TestSolversOnFourRooms(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridRoom-4"))
	require.InDelta(t, 0, Away(w, w.Truth.Vectors), 1e-12)
	require.Less(t, Away(w, Streamed(w, 1, 200_000)), 0.8*Away(w, Streamed(w, 1, 1_000)), "more samples are better")
	trained := Network(w, 2, 60)
	require.Less(t, Away(w, trained), 0.7)

	solved := Solved{World: w}
	solved.Add("true", func() *mat.Dense { return w.Truth.Vectors })
	solved.Add("turned", func() *mat.Dense { return linalg.Scaled(-1, w.Truth.Vectors) })
	maps := solved.maps(2)
	require.Equal(t, maps.Maps[0].Values, maps.Maps[1].Values)
	solved.Show(2)
}

func TestFieldNamesEachProblemOnce(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", "notebooks"))
	f := committed[field]("field")
	require.Len(t, f.Problems, 4)
	named := 0
	for _, row := range f.rows() {
		require.Len(t, row, 8)
		if row[0] != "" {
			named++
		}
	}
	require.Equal(t, 4, named)
}
