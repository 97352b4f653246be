package notebook

import (
	"fmt"
	"slices"

	"github.com/janpfeifer/gonb/gonbui"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Functions draws learned functions of one variable on exact ones, which are wide and pale, one plot per mode, counted
// from 1. The columns of learned and exact are functions at the points x. Exact functions get the sign of the learned
// ones. Sizes that differ end the cell.
func Functions(label string, x []float64, learned, exact *mat.Dense, modes ...int) (row draw.CurvesRow) {
	Check(pairs(learned, exact, modes, func(mode int, y, z []float64) {
		row.Plots = append(row.Plots, draw.Curves{Title: fmt.Sprintf("function %d", mode), XLabel: label,
			Series: []draw.Series{{Name: "learned", X: x, Y: y, Plain: true},
				{Name: "exact", X: x, Y: z, Reference: true}}})
	}))
	return row
}

// Squares draws learned functions on a square above exact ones with the same sign, at n×n points with the second
// coordinate varying fastest. It returns an error if sizes differ.
func Squares(learned, exact *mat.Dense, modes ...int) (draw.Panels, error) {
	above, below := draw.PanelRow{Label: "learned"}, draw.PanelRow{Label: "exact"}
	err := pairs(learned, exact, modes, func(mode int, y, z []float64) {
		above.Titles = append(above.Titles, fmt.Sprint(mode))
		above.Maps, below.Maps = append(above.Maps, y), append(below.Maps, z)
	})
	return draw.Panels{Rows: []draw.PanelRow{above, below}}, err
}

// pairs calls use with each of the modes: a learned function and the exact one with the same sign.
func pairs(learned, exact *mat.Dense, modes []int, use func(mode int, y, z []float64)) error {
	n, k := learned.Dims()
	points, known := exact.Dims()
	if n != points {
		return fmt.Errorf("notebook: learned functions have %d points, exact functions %d", n, points)
	}
	for _, mode := range modes {
		if mode < 1 || mode > min(k, known) {
			return fmt.Errorf("notebook: mode %d out of range [1, %d]", mode, min(k, known))
		}
		y := mat.Col(nil, mode-1, learned)
		use(mode, y, signed(mat.Col(nil, mode-1, exact), y))
	}
	return nil
}

// signed gives a function the sign of another one, and returns it.
func signed(f, of []float64) []float64 {
	if floats.Dot(f, of) < 0 {
		floats.Scale(-1, f)
	}
	return f
}

// Eigenfunctions draws the given modes, counted from 1, of learned functions (N×k, on all states) with their cosine
// similarity, above the true ones. Since those are defined up to a rotation within an eigenspace, it draws the
// projection of the learned function onto the true eigenspace. It returns an error if a mode or a row does not exist.
func Eigenfunctions(w *gridworld.World, learned *mat.Dense, modes ...int) (draw.HeatMaps, error) {
	cosines, _, err := gridworld.CosineSimilarity(w.Truth, learned)
	if err != nil {
		return draw.HeatMaps{}, err
	}
	layout := rl.LayoutOf(w.Grid)
	var above, below []draw.HeatMap
	err = pairs(learned, w.Truth.Vectors, modes, func(mode int, f, _ []float64) {
		i := mode - 1
		above = append(above, draw.HeatMap{Title: fmt.Sprintf("learned %d: cos %.3f", mode, cosines[i]), Layout: layout,
			Values: f})
		below = append(below, draw.HeatMap{Title: fmt.Sprintf("true %d: λ = %.4f", mode, w.Truth.Values[i]),
			Layout: layout, Values: nearest(w.Truth, i, f)})
	})
	return draw.HeatMaps{Columns: len(modes), Maps: append(above, below...)}, err
}

// nearest returns the projection of f onto the true eigenspace that contains mode i.
func nearest(t spectral.Eigenpairs, i int, f []float64) []float64 {
	spaces := t.Eigenspaces()
	space := spaces[slices.IndexFunc(spaces, func(s spectral.Eigenspace) bool { return i < s.End })]
	basis := linalg.Columns(t.Vectors, space.First, space.End)
	return mat.Col(nil, 0, linalg.Product(basis, basis.T(), mat.NewVecDense(len(f), f)))
}

// Show draws below the cell. It returns an error if a number cannot be drawn.
func Show(d draw.Drawing) error {
	figure, err := d.Figure()
	if err != nil {
		return err
	}
	png, err := draw.PNG(figure)
	if err != nil {
		return err
	}
	showPNG(png)
	return nil
}

func showPNG(png []byte) {
	gonbui.DisplayPng(png)
	gonbui.Sync()
}

// Panels returns a row of pictures, one for each column of f, whose rows are n×n points of a square with the second
// coordinate varying fastest.
func Panels(label string, f mat.Matrix) draw.PanelRow {
	row := draw.PanelRow{Label: label}
	_, k := f.Dims()
	for i := range k {
		row.Maps = append(row.Maps, mat.Col(nil, i, f))
	}
	return row
}

// Curve returns the evaluation scores of a training, averaged over its runs, against its steps.
func Curve(name string, history []train.Point) draw.Series {
	s := draw.Series{Name: name}
	for _, p := range history {
		s.Add(float64(p.Step), stat.Mean(p.Value, nil))
	}
	return s
}

// Record adds a point to each of the series "name 1", "name 2", … of a plot, one for each value, up to eight.
func Record(plot *draw.Curves, name string, step int, values []float64) {
	for i, value := range values[:min(len(values), 8)] {
		if i == len(plot.Series) {
			plot.Series = append(plot.Series, draw.Series{Name: fmt.Sprintf("%s %d", name, i+1)})
		}
		plot.Series[i].Add(float64(step), value)
	}
}
