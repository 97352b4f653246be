package draw

import (
	"image/color"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
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

// Looks of the kinds of points and paths, in order of appearance.
var (
	pointLooks = []look{
		{ink, nil, vgdraw.RingGlyph{}}, {vermillion, nil, vgdraw.BoxGlyph{}}, {ink, nil, vgdraw.PyramidGlyph{}},
		{ink, nil, vgdraw.SquareGlyph{}}, {purple, nil, vgdraw.TriangleGlyph{}}, {ink, nil, vgdraw.CrossGlyph{}},
	}
	pathLooks = []look{
		{orange, nil, vgdraw.CircleGlyph{}},
		{ink, []vg.Length{4, 1.5}, vgdraw.CircleGlyph{}},
		{purple, []vg.Length{1.2, 1.2}, vgdraw.CircleGlyph{}},
	}
)

// Figure lays out the plots, 5.5 in wide. It distinguishes six kinds of points and three kinds of paths.
func (f Contours) Figure() (*Figure, error) {
	var names legend
	points, paths := kinds{}, kinds{}
	var plots []*plot.Plot
	for _, land := range f.Plots {
		p := newPlot(land.Title, f.XLabel, f.YLabel)
		land.addLevels(p)
		for _, kind := range land.Paths {
			l, isNew := paths.look(kind.Name, pathLooks)
			style, starts := l.line(), scatter(l.mark(1.3))
			if !kind.Directed {
				style.Width, starts.Radius = 2, 0
			}
			for _, at := range kind.Lines {
				p.Add(line(style, at...))
				starts.XYs = append(starts.XYs, at[0])
			}
			if p.Add(starts); isNew {
				names.add(kind.Name, line(style), starts)
			}
		}
		for _, kind := range land.Points {
			l, isNew := points.look(kind.Name, pointLooks)
			marks := scatter(l.mark(2.6), kind.At...)
			if p.Add(marks); isNew {
				names.add(kind.Name, marks)
			}
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = land.XMin, land.XMax, land.YMin, land.YMax
		plots = append(plots, p)
	}
	height := min(4*vg.Inch, equalHeight(len(plots), plots))
	return framed(f.Note, names, height, func(c vgdraw.Canvas) { tile(c, len(plots), plots, true) }), nil
}

var levelInk = color.NRGBA{R: 0x4A, G: 0x6A, B: 0x94, A: 0xFF}

// addLevels draws level lines, and the bands between them from light blue, on which marks are visible, to white.
func (l Landscape) addLevels(p *plot.Plot) {
	const points = 320 // along each side
	values := surface{l.XMin, l.XMax, l.YMin, l.YMax, make([][]float64, points)}
	bands := values
	bands.z = make([][]float64, points)
	for column := range points {
		values.z[column], bands.z[column] = make([]float64, points), make([]float64, points)
		for row := range points {
			value := l.F(values.X(column), values.Y(row))
			values.z[column][row], bands.z[column][row] = value, float64(sort.SearchFloat64s(l.Levels, value))
		}
	}
	lines := plotter.NewContour(values, l.Levels, nil)
	lines.LineStyles = []vgdraw.LineStyle{{Color: levelInk, Width: hairline}}
	p.Add(newHeat(bands, steps(len(l.Levels)+1, -0.65, 0, diverging), 0, float64(len(l.Levels)), nil), lines)
}
