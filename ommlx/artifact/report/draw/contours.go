package draw

import (
	"image/color"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Contours draws functions of two variables, such as losses, side by side under one legend: level lines, with darker
// colours for lower values, and marked points and paths.
type Contours struct {
	XLabel, YLabel string
	Note           string // printed under the plots; may be empty
	Plots          []Landscape
}

// Landscape is one function on a rectangle. Both axes have the same scale.
type Landscape struct {
	Title                  string
	XMin, XMax, YMin, YMax float64
	// F is the function. It must be finite on the rectangle.
	F func(x, y float64) float64
	// Levels are the values of the level lines, ascending. For a steep function, space them above its minimum with
	// gonum's floats.LogSpan.
	Levels []float64
	Points []Points
	Paths  []Paths
}

// Points are points of one kind, such as saddles. A kind looks the same in all plots of a figure.
type Points struct {
	Name string
	At   plotter.XYs
}

// Paths are curves of one kind, such as gradient flow. The part outside the rectangle is not drawn.
type Paths struct {
	Name     string
	Directed bool // a dot marks the start of each; other paths are drawn broad
	Lines    []plotter.XYs
}

// Figure lays out the plots, 5.5 in wide. It distinguishes eight kinds of points and paths.
func (f Contours) Figure() (*Figure, error) {
	known, out := kinds{}, page{note: f.Note, columns: len(f.Plots), side: pageWidth / 2}
	for _, land := range f.Plots {
		p := newPlot(land.Title, f.XLabel, f.YLabel)
		land.addLevels(p)
		for _, kind := range land.Paths {
			l := known.look(kind.Name)
			style := l.line()
			starts := scatter(vgdraw.GlyphStyle{Color: l.color, Radius: 1.3, Shape: vgdraw.CircleGlyph{}})
			if !kind.Directed {
				style.Width, starts.Radius = 2, 0
			}
			for _, at := range kind.Lines {
				p.Add(line(style, at...))
				starts.XYs = append(starts.XYs, at[0])
			}
			p.Add(starts)
			out.names.add(kind.Name, line(style), starts)
		}
		for _, kind := range land.Points {
			marks := scatter(known.look(kind.Name).mark(), kind.At...)
			marks.Radius = 2.6
			p.Add(marks)
			out.names.add(kind.Name, marks)
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = land.XMin, land.XMax, land.YMin, land.YMax
		out.plots = append(out.plots, p)
	}
	return out.figure(), nil
}

// addLevels draws level lines, and the bands between them from light blue, on which marks are visible, to white.
func (l Landscape) addLevels(p *plot.Plot) {
	const points = 320 // along each side
	values := surface{x0: l.XMin, x1: l.XMax, y0: l.YMin, y1: l.YMax, columns: points, rows: points}
	var z [points][points]float64 // gonum reads each value dozens of times
	for column := range z {
		for row := range z[column] {
			z[column][row] = l.F(values.X(column), values.Y(row))
		}
	}
	values.z = func(column, row int) float64 { return z[column][row] }
	bands, top := values, float64(len(l.Levels))
	bands.z = func(column, row int) float64 { return float64(sort.SearchFloat64s(l.Levels, values.z(column, row))) }
	lines := plotter.NewContour(values, l.Levels, nil)
	lines.LineStyles = []vgdraw.LineStyle{{Color: tint(navy, 0.75), Width: hairline}}
	colours := scale{0, top, len(l.Levels) + 1, func(share float64) color.Color { return tint(navy, 0.65*(1-share)) }}
	p.Add(newHeat(bands, colours), lines)
}
