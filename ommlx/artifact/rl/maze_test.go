package rl

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/testkit"
)

// Each learned map is above the exact one of its mode, with the same sign, under its own score.
func TestMazeDrawsEachModeNextToTheExactOne(t *testing.T) {
	w := testkit.Must(gridworld.LoadWorld("GridMaze-9"))
	const k = 7
	e := May("GridMaze-9", "omm_seq")
	e.K = k
	r := &Result{Config: e, Runs: []Run{{PerMode: make([]float64, k)}}}
	d := MazeData{Eigenvalues: make([]float64, k), Result: r}
	for i := range k {
		values := mat.Col(nil, i, w.Truth.Vectors)
		floats.Scale(-1, values)
		r.Picture = append(r.Picture, values)
	}
	r.Runs[0].PerMode[6] = 0.25
	maps := testkit.Must(d.drawing(w)).Maps
	require.Len(t, maps, 2*(k-1))
	for i, pair := range [][2]int{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}, {10, 11}} {
		learned, exact := maps[pair[0]].Values, maps[pair[1]].Values
		assert.InDeltaSlice(t, exact, learned, 1e-9)
		truth := mat.Col(nil, i+1, w.Truth.Vectors)
		assert.InDelta(t, floats.Norm(exact, 2)*floats.Norm(truth, 2), floats.Dot(exact, truth), 1e-9)
	}
	require.Equal(t, "learned 7: cos 0.25", maps[10].Title)
}
