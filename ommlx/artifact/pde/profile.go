package pde

import (
	"image"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"omm-go/ommlx/artifact/report/draw"
)

const (
	profileEnd = 12   // largest |x| of a profile
	profileLow = 1e-5 // least |ψ|
)

// profile draws mode 1 of a result, normalised, against |x| on a logarithmic scale: a mark at each point of its
// picture, over a line for the exact function. Without a result it draws only the line.
func profile(r *Result, e Experiment) (image.Image, error) {
	of, spectrum, err := e.lowest(1)
	if err != nil {
		return nil, err
	}
	radii := mat.NewDense(100*profileEnd, 2, nil)
	for i := range 100 * profileEnd {
		radii.Set(i, 0, (float64(i)+0.5)/100)
	}
	exact, err := spectrum.OnPoints(radii)
	if err != nil {
		return nil, err
	}
	var marks plotter.XYs
	if r != nil {
		q, err := Midpoint(pictureSide, of.region(e.K))
		if err != nil {
			return nil, err
		}
		marks = profiled(mat.NewVecDense(len(r.Picture[0]), r.Picture[0]), 1/r.Runs[0].Norms[0], q.Points)
	}
	return draw.Profile(profiled(exact.ColView(0), 1, radii), marks, profileEnd, math.Log10(profileLow)), nil
}

// profiled returns |x| and log |scale ψ| at the points of a profile.
func profiled(psi mat.Vector, scale float64, points *mat.Dense) (list plotter.XYs) {
	for i := range psi.Len() {
		value, r := math.Abs(scale*psi.AtVec(i)), mat.Norm(points.RowView(i), 2)
		if r <= profileEnd && value >= profileLow {
			list = append(list, plotter.XY{X: r, Y: math.Log10(value)})
		}
	}
	return list
}
