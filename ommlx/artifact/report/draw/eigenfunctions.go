package draw

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Eigenfunctions draws eigenvalues, and functions at points: as curves over one coordinate, or as coloured points in a
// plane with the colours of [HeatMaps].
type Eigenfunctions struct {
	Note           string
	Values         []float64
	Errors         []float64 // half lengths of their bars; nil or NaN for none
	XLabel, YLabel string
	X, Y           []float64   // coordinates; Y is nil on a line, with X ascending
	Functions      [][]float64 // by function, then by point
}

// Figure lays out the eigenvalues and up to eight functions in rows of three, 5.5 in wide.
func (f Eigenfunctions) Figure() (*Figure, error) {
	const columns, most, limit = 3, 8, 1.55 * vg.Inch
	if !finite(f.Values...) || len(f.Values) == 0 || len(f.X) == 0 || !finite(f.X...) || !finite(f.Y...) {
		return nil, fmt.Errorf("eigenfunctions: %d values and %d points, want finite numbers", len(f.Values), len(f.X))
	}
	values := newPlot("", "number", "eigenvalue")
	values.Add(grid(false))
	for i, v := range f.Values {
		at := plotter.XY{X: float64(i + 1), Y: v}
		if i < len(f.Errors) && finite(f.Errors[i]) {
			values.Add(&plotter.YErrorBars{XYs: plotter.XYs{at}, LineStyle: curveLooks[0].line(), CapWidth: 4,
				YErrors: plotter.YErrors{{Low: -f.Errors[i], High: f.Errors[i]}}})
		}
		values.Add(scatter(curveLooks[0].mark(2.1), at))
	}
	values.X.Min, values.X.Max = 0.5, float64(len(f.Values))+0.5
	values.X.Tick.Marker = plot.TickerFunc(func(_, high float64) (list []plot.Tick) {
		for i := 1.0; i < high; i += math.Ceil(high / 10) {
			list = append(list, plot.Tick{Value: i, Label: number(i)})
		}
		return list
	})
	plots, bar := []*plot.Plot{values}, vg.Length(0)
	colours := steps(65, -1, 1, diverging)
	for i, phi := range f.Functions[:min(most, len(f.Functions))] {
		if len(phi) != len(f.X) || !finite(phi...) {
			return nil, fmt.Errorf("eigenfunctions: function %d has %d values, want %d finite ones", i+1, len(phi),
				len(f.X))
		}
		p := newPlot(fmt.Sprintf("function %d", i+1), f.XLabel, f.YLabel)
		plots = append(plots, p)
		largest := cmp.Or(floats.Norm(phi, math.Inf(1)), 1)
		if f.Y == nil {
			p.Add(grid(false), line(curveLooks[0].line(), points(f.X, phi)...))
			p.Y.Min, p.Y.Max = -1.05*largest, 1.05*largest
			continue
		}
		bar = barHeight
		dots := scatter(vgdraw.GlyphStyle{}, points(f.X, f.Y)...)
		dots.GlyphStyleFunc = func(n int) vgdraw.GlyphStyle {
			step := int(math.Round((phi[n]/largest + 1) / 2 * float64(len(colours)-1)))
			return vgdraw.GlyphStyle{Color: colours[step], Radius: 1.2, Shape: vgdraw.CircleGlyph{}}
		}
		x0, x1, y0, y1 := plotter.XYRange(dots)
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(x0, y0, x1, y1)}, Color: shade}, dots) // white dots stay visible
	}
	rows := (len(plots) + columns - 1) / columns
	return framed(f.Note, nil, vg.Length(rows)*limit+bar, func(c vgdraw.Canvas) {
		if bar > 0 {
			drawBar(c, colours, "−max", "+max", "±max |value| of the function")
		}
		tile(vgdraw.Crop(c, 0, 0, bar, 0), columns, plots, false)
	}), nil
}
