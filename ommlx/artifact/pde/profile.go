package pde

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	profileEnd  = 12   // largest |x| of a profile
	profileLow  = 1e-5 // least |ψ|
	profileSide = 112  // pixels
)

// profile draws mode 1 of a result, normalised, against |x| on a logarithmic scale: a mark at each point of its
// picture, over a line for the exact function. Without a result it draws only the line.
func profile(r *Result, e Experiment) (image.Image, error) {
	known, spectrum, err := e.lowest(1)
	if err != nil {
		return nil, err
	}
	p := plot.New()
	p.HideAxes()
	p.X.Max, p.Y.Min = profileEnd, math.Log10(profileLow)
	radii := mat.NewDense(100*profileEnd, 2, nil)
	for i := range 100 * profileEnd {
		radii.Set(i, 0, (float64(i)+0.5)/100)
	}
	exact, err := spectrum.OnPoints(radii)
	if err != nil {
		return nil, err
	}
	p.Add(&plotter.Line{XYs: profiled(mat.Col(nil, 0, exact), radii),
		LineStyle: draw.LineStyle{Color: color.NRGBA{R: 0xF2, G: 0xB6, B: 0x80, A: 0xFF}, Width: 5}})
	if r != nil {
		q, err := Midpoint(2, pictureSide, known.region(e.K))
		if err != nil {
			return nil, err
		}
		psi := mat.NewVecDense(len(r.Picture[0]), r.Picture[0])
		scaled := mat.NewVecDense(psi.Len(), nil)
		scaled.ScaleVec(1/r.Runs[0].Norms[0], psi)
		p.Add(&plotter.Scatter{XYs: profiled(scaled.RawVector().Data, q.Points), GlyphStyle: draw.GlyphStyle{
			Color: color.NRGBA{R: 0x0B, G: 0x3C, B: 0x7D, A: 0xFF}, Radius: 4, Shape: draw.CircleGlyph{}}})
	}
	c := vgimg.NewWith(vgimg.UseWH(profileSide, profileSide), vgimg.UseDPI(int(vg.Inch.Points())))
	p.Draw(draw.New(c))
	return c.Image(), nil
}

// profiled returns |x| and log |ψ| at the points of a profile.
func profiled(psi []float64, points *mat.Dense) (list plotter.XYs) {
	for i, value := range psi {
		if r := mat.Norm(points.RowView(i), 2); r <= profileEnd && math.Abs(value) >= profileLow {
			list = append(list, plotter.XY{X: r, Y: math.Log10(math.Abs(value))})
		}
	}
	return list
}
