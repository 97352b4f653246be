package notebook

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
)

// Functions draws learned functions of one variable beside exact ones, a plot for each mode, counted from 1. The
// columns of learned and exact are functions at the N points x; x nil stands for 1 to N. An exact function is drawn
// with the sign of the learned one. An error says what does not fit.
func Functions(label string, x []float64, learned, exact *mat.Dense, modes ...int) (draw.CurvesRow, error) {
	n, _ := learned.Dims()
	if x == nil {
		x = floats.Span(make([]float64, n), 1, float64(n))
	}
	if len(x) != n {
		return draw.CurvesRow{}, fmt.Errorf("functions are given at %d points, but x has %d; give one for each",
			n, len(x))
	}
	var row draw.CurvesRow
	for _, mode := range modes {
		y, z, err := pair(learned, exact, mode)
		if err != nil {
			return draw.CurvesRow{}, err
		}
		row.Plots = append(row.Plots, draw.Curves{Title: fmt.Sprintf("function %d", mode), XLabel: label,
			Series: []draw.Series{{Name: "learned", X: x, Y: y}, {Name: "exact", X: x, Y: z}}})
	}
	return row, nil
}

// Squares draws learned functions on a square above exact ones, as [Functions] does on a line. Rows of learned and
// exact are n×n points, the second coordinate running fastest.
func Squares(learned, exact *mat.Dense, modes ...int) (draw.Panels, error) {
	above, below := draw.PanelRow{Label: "learned"}, draw.PanelRow{Label: "exact"}
	for _, mode := range modes {
		y, z, err := pair(learned, exact, mode)
		if err != nil {
			return draw.Panels{}, err
		}
		above.Titles = append(above.Titles, fmt.Sprint(mode))
		above.Maps, below.Maps = append(above.Maps, y), append(below.Maps, z)
	}
	return draw.Panels{Rows: []draw.PanelRow{above, below}}, nil
}

// pair returns a learned function, and the exact one with its sign.
func pair(learned, exact *mat.Dense, mode int) (y, z []float64, err error) {
	n, k := learned.Dims()
	points, known := exact.Dims()
	if n != points {
		return nil, nil,
			fmt.Errorf("learned functions are given at %d points, but exact ones at %d; give the same points",
				n, points)
	}
	if mode < 1 || mode > min(k, known) {
		return nil, nil, fmt.Errorf("mode %d does not exist: %d learned functions and %d exact ones are given, "+
			"counted from 1", mode, k, known)
	}
	y, z = mat.Col(nil, mode-1, learned), mat.Col(nil, mode-1, exact)
	if floats.Dot(y, z) < 0 {
		floats.Scale(-1, z)
	}
	return y, z, nil
}
