package notebook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
)

// Landscape is the loss of OMM-1 for one vector v and A = diag(first, second), first > 0, on the square [−2, 2]². It
// has the minima ±(1, 0), the given points, level lines with logarithmic spacing above the minimum, and the gradient
// flow from each start and its mirror images in both axes.
func Landscape(first, second float64, starts [][2]float64, points ...draw.Points) draw.Landscape {
	const edge = 2.0
	a, loss := mat.NewDense(2, 2, []float64{first, 0, 0, second}), verify.OMM(ommlx.Order(1))
	flow := draw.Paths{Name: "gradient flow", Directed: true}
	for _, s := range starts {
		for _, sign := range [][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			v := mat.NewDense(2, 1, []float64{s[0] * sign[0], s[1] * sign[1]})
			path := plotter.XYs{{X: v.At(0, 0), Y: v.At(1, 0)}}
			verify.Flow(loss, v, a, 10, 0.01, func(_ float64, v *mat.Dense) {
				if mat.Norm(v, 2) < 2*edge {
					path = append(path, plotter.XY{X: v.At(0, 0), Y: v.At(1, 0)})
				}
			})
			flow.Lines = append(flow.Lines, path)
		}
	}
	land := draw.Landscape{Title: fmt.Sprintf("λ = (%g, %g)", first, second),
		XMin: -edge, XMax: edge, YMin: -edge, YMax: edge, Levels: floats.LogSpan(make([]float64, 11), 0.03, 12),
		Paths: []draw.Paths{flow},
		F: func(x, y float64) float64 {
			value, _ := loss(mat.NewDense(2, 1, []float64{x, y}), a)
			return value
		}}
	floats.AddConst(-first, land.Levels)
	if second < 0 {
		land.Levels = append([]float64{-4 * first, -2.5 * first, -1.5 * first}, land.Levels...)
	}
	land.Points = append([]draw.Points{{Name: "minimum", At: plotter.XYs{{X: 1}, {X: -1}}}}, points...)
	return land
}

// Cosines is |VᵀW| with the columns of V and W scaled to length 1, a row for each v_i and a column for each w_j. Of
// more than six columns every second one has a name.
func Cosines(title string, v, w *mat.Dense) draw.HeatMap {
	_, k := v.Dims()
	_, d := w.Dims()
	m := draw.HeatMap{Title: title, RowNames: numbered("v", k), ColumnNames: numbered("w", d),
		Layout: blank(title, k, d)}
	for j := 1; d > 6 && j < d; j += 2 {
		m.ColumnNames[j] = ""
	}
	for i := range k {
		for j := range d {
			x, y := v.ColView(i), w.ColView(j)
			cosine := math.Abs(mat.Dot(x, y)) / (mat.Norm(x, 2) * mat.Norm(y, 2))
			m.Values = append(m.Values, min(1, cosine)) // rounding may exceed 1
		}
	}
	return m
}

// SquaredNorms returns the squared norms of the columns of V.
func SquaredNorms(v mat.Matrix) (mu []float64) {
	gram := linalg.Gram(v)
	_, k := v.Dims()
	for i := range k {
		mu = append(mu, gram.At(i, i))
	}
	return mu
}

// blank is a layout without walls.
func blank(name string, rows, columns int) draw.Layout {
	return draw.Layout{Name: name, Rows: slices.Repeat([]string{strings.Repeat(" ", columns)}, rows)}
}

// numbered returns names with subscripts from 1 to n.
func numbered(name string, n int) (names []string) {
	for i := range n {
		names = append(names, name+strings.Map(func(r rune) rune { return r - '0' + '₀' }, fmt.Sprint(i+1)))
	}
	return names
}
