package rl

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

// Maze shows the functions of one run in a hard maze next to the exact eigenfunctions.
func Maze() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Figure, Name: "fig_maze_functions", ShortName: "maze",
		Description: "learned and exact eigenfunctions in a hard maze",
		Caption:     "Which functions differ from the exact ones below them, and how close their eigenvalues are.",
	}, "", planMaze, drawMaze)
}

// planMaze returns the first run of OMM-seq in figure 1 by the authors' settings, with its functions.
func planMaze(p run.Profile) []row {
	e := May("GridMaze-26", "omm_seq")
	e.Picture = true
	return []row{row{experiment: e}.under(p, 1, quickSteps(e.Environment))}
}

// MazeData is figures/fig_maze_functions.json. The picture of the result has the functions as learned.
type MazeData struct {
	report.Head
	Eigenvalues []float64 `json:"eigenvalues"` // the smallest of I − P
	Result      *Result   `json:"result"`
}

// drawMaze replaces the note, which is about one run.
func drawMaze(rows []row, head report.Head) (report.Content, error) {
	r, p := rows[0].result, head.Provenance.Drawn.Profile
	w, err := gridworld.LoadWorld(r.Config.Environment)
	if err != nil {
		return report.Content{}, err
	}
	scale := "At the paper's scale."
	if p != run.Paper {
		scale = p.Note("fewer steps than the paper's 80,000")
	}
	head.Paper = "Not in the paper, whose figure 1 shows scores of such runs."
	head.Note = scale + fmt.Sprintf(" One run of OMM-seq in %s by the authors' settings (our code), %s steps, seed "+
		"1 of figure 1's configuration. Its average cosine similarity over all modes is %.3f. Shown are modes 2 "+
		"to %d; mode 1 is constant. Learned functions have the sign of the exact ones. Figure 1's training "+
		"with this seed kept no functions; its score can differ from this one by rounding.", r.Config.Environment,
		say.Thousands(r.Config.Train.Steps), r.Runs[0].Average, r.Config.K)
	data := MazeData{Head: head, Result: r, Eigenvalues: laplacian(w, r.Config.K)}
	drawing, err := data.drawing(w)
	return report.Content{Data: data, Drawing: drawing}, err
}

// drawing returns rows of five learned functions, each above a row of exact ones.
func (d MazeData) drawing(w *gridworld.World) (draw.HeatMaps, error) {
	const columns = 5
	n, k := w.Grid.N(), d.Result.Config.K
	learned, weights := mat.NewDense(n, k, nil), slices.Repeat([]float64{1}, n)
	for i, values := range d.Result.Picture {
		learned.SetCol(i, values)
	}
	signed, exact, err := spectral.Align(w.Truth.Vectors, learned, weights, w.Truth.Eigenspaces())
	if err != nil {
		return draw.HeatMaps{}, err
	}
	layout := LayoutOf(w.Grid)
	all := draw.HeatMaps{Columns: columns}
	all.Note = report.Stamp(d.Note) + " Below learned functions: cosine similarity; " +
		"below exact ones: 1,000 times the eigenvalue of I − P."
	for first := 1; first < k; first += columns {
		var above, below []draw.HeatMap
		for i := first; i < min(k, first+columns); i++ {
			above = append(above, draw.HeatMap{Layout: layout, Values: mat.Col(nil, i, signed),
				Title: fmt.Sprintf("learned %d: cos %.2f", i+1, d.Result.Runs[0].PerMode[i])})
			below = append(below, draw.HeatMap{Layout: layout, Values: mat.Col(nil, i, exact),
				Title: fmt.Sprintf("exact %d: %.3f", i+1, 1000*d.Eigenvalues[i])})
		}
		all.Maps = slices.Concat(all.Maps, above, below)
	}
	return all, nil
}
