package draw

import (
	"fmt"

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
	Equal          bool        // draws X and Y to the same scale
	Functions      [][]float64 // by function, then by point
}

// Figure lays out the eigenvalues and up to eight functions, 5.5 in wide: in one row of four or in rows of three.
func (f Eigenfunctions) Figure() (*Figure, error) {
	values := Series{Marks: true, Band: make([]float64, len(f.Values))}
	for i, v := range f.Values {
		if values.Add(float64(i+1), v); i < len(f.Errors) && finite(f.Errors[i]) {
			values.Band[i] = f.Errors[i]
		}
	}
	first := Curves{XLabel: "number", YLabel: "eigenvalue", Series: []Series{values}, xMin: 0.5,
		xMax: float64(len(f.Values)) + 0.5}
	out := page{note: f.Note, columns: 3, height: 1.55 * vg.Inch,
		plots: []*plot.Plot{first.plot(kinds{"": markings[0]})}}
	for i, phi := range f.Functions[:min(8, len(f.Functions))] {
		one := Curves{Title: fmt.Sprintf("function %d", i+1), XLabel: f.XLabel, YLabel: f.YLabel}
		if f.Y == nil {
			one.YMax = 1.05 * scaleOf(phi, smooth).high
			one.YMin, one.Series = -one.YMax, []Series{{X: f.X, Y: phi, Plain: true}}
		}
		p := one.plot(kinds{"": markings[0]})
		if f.Y != nil {
			p.Title.Text += ", " + limit(phi)
			if p.Add(coloured(f.X, f.Y, phi)...); f.Equal {
				out.equal = append(out.equal, p)
			}
		}
		out.plots = append(out.plots, p)
	}
	if len(out.plots) == 4 {
		out.columns = 4
	}
	return out.figure(), nil
}

// coloured returns points in the colours of their values, on grey so that white points stay visible.
func coloured(x, y, values []float64) []plot.Plotter {
	dots, colours := scatter(vgdraw.GlyphStyle{}), scaleOf(values, smooth)
	for i := range x {
		dots.XYs = append(dots.XYs, plotter.XY{X: x[i], Y: y[i]})
	}
	dots.GlyphStyleFunc = func(n int) vgdraw.GlyphStyle {
		return vgdraw.GlyphStyle{Color: colours.at(values[n]), Radius: 1.2, Shape: vgdraw.CircleGlyph{}}
	}
	x0, x1, y0, y1 := plotter.XYRange(dots)
	under := frame(x0, y0, x1, y1, nil, 0)
	under.Color = gridInk
	return []plot.Plotter{under, dots}
}
