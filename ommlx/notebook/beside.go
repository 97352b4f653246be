package notebook

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/spectral"
)

// Beside draws learned eigenfunctions, with their cosine similarity, above true ones. Column i of learned (N×k) is the
// i-th function on all states; modes, counted from 1 and at most k, are those that are drawn.
//
// A true function is defined up to its sign, and within a degenerate eigenspace up to a rotation: what is drawn is the
// projection of the learned one onto the true eigenspace, the member that is nearest to it. An error says which mode
// does not exist, or that learned has not one row for each state.
func Beside(w *gridworld.World, learned *mat.Dense, modes ...int) (draw.HeatMaps, error) {
	cosines, _, err := spectral.CosineSimilarity(w.Truth, learned)
	if err != nil {
		return draw.HeatMaps{}, err
	}
	grid := Grid(w.Grid)
	above, below := make([]draw.HeatMap, len(modes)), make([]draw.HeatMap, len(modes))
	for c, mode := range modes {
		if mode < 1 || mode > len(cosines) {
			return draw.HeatMaps{}, fmt.Errorf("mode %d does not exist: %d functions were learned, counted from 1",
				mode, len(cosines))
		}
		i := mode - 1
		f := learned.ColView(i)
		above[c] = draw.HeatMap{Title: fmt.Sprintf("learned %d: cos %.3f", mode, cosines[i]), Grid: grid,
			Values: mat.Col(nil, i, learned)}
		below[c] = draw.HeatMap{Title: fmt.Sprintf("true %d: λ = %.4f", mode, w.Truth.Values[i]), Grid: grid,
			Values: nearest(w.Truth, i, f)}
	}
	return draw.HeatMaps{Columns: len(modes), Maps: append(above, below...)}, nil
}

// nearest returns the projection of f onto the true eigenspace that holds mode i.
func nearest(t spectral.Truth, i int, f mat.Vector) []float64 {
	sum := mat.NewVecDense(f.Len(), nil)
	for _, space := range t.Eigenspaces() {
		for m := space.First; m < space.End && space.First <= i && i < space.End; m++ {
			v := t.Vectors.ColView(m)
			sum.AddScaledVec(sum, mat.Dot(v, f), v)
		}
	}
	return sum.RawVector().Data
}
