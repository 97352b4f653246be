package draw

import (
	"image/color"
	"math"
	"slices"
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
	Directed bool // with an arrowhead, and a dot at the start of each; other paths are drawn broad
	Lines    []plotter.XYs
}

// Figure lays out the plots, 5.5 in wide. It distinguishes eight kinds of points and paths.
func (f Contours) Figure() (*Figure, error) {
	known, out := kinds{}, page{note: f.Note, columns: len(f.Plots), side: pageWidth / 2}
	for _, land := range f.Plots {
		p := newPlot(land.Title, f.XLabel, f.YLabel)
		land.addLevels(p)
		for _, kind := range land.Paths {
			l := known.of(kind.Name)
			style := l.line()
			if !kind.Directed {
				style.Width = 2
			}
			out.names.add(kind.Name, line(style))
			starts := scatter(vgdraw.GlyphStyle{Color: ink, Radius: 1.3, Shape: vgdraw.CircleGlyph{}})
			for _, at := range kind.Lines {
				if p.Add(line(style, at...)); kind.Directed {
					p.Add(head{at, l.color})
					starts.XYs = append(starts.XYs, at[0])
				}
			}
			if p.Add(starts); kind.Directed {
				out.names.add("start of a path", starts)
			}
		}
		for _, kind := range land.Points {
			marks := scatter(known.of(kind.Name).mark(), kind.At...)
			marks.Radius = 2.6
			p.Add(marks)
			out.names.add(kind.Name, marks)
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = land.XMin, land.XMax, land.YMin, land.YMax
		out.plots = append(out.plots, p)
	}
	out.names.add("darker: lower", &plotter.Polygon{Color: tint(navy, 0.5)})
	return out.figure(), nil
}

// head is the arrowhead in the middle of a path. Short paths have none.
type head struct {
	path  plotter.XYs
	color color.Color
}

// Plot implements [plot.Plotter].
func (h head) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var at []vg.Point
	for _, one := range h.path {
		at = append(at, vg.Point{X: x(one.X), Y: y(one.Y)})
	}
	if inside := c.ClipLinesXY(at); len(inside) > 0 {
		at = inside[0]
	}
	lengths := make([]vg.Length, len(at)) // from the start
	for i := 1; i < len(at); i++ {
		step := at[i].Sub(at[i-1])
		lengths[i] = lengths[i-1] + vg.Length(math.Hypot(float64(step.X), float64(step.Y)))
	}
	if len(at) < 2 || lengths[len(at)-1] < 12 {
		return
	}
	half := lengths[len(at)-1] / 2
	i := slices.IndexFunc(lengths, func(l vg.Length) bool { return l > half })
	share := (half - lengths[i-1]) / (lengths[i] - lengths[i-1])
	middle := at[i-1].Add(at[i].Sub(at[i-1]).Scale(share))
	along := at[i].Sub(at[i-1]).Scale(1 / (lengths[i] - lengths[i-1]))
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(1.7)
	back := middle.Sub(along.Scale(2.2))
	c.FillPolygon(h.color, []vg.Point{middle.Add(along.Scale(2.2)), back.Add(across), back.Sub(across)})
}

// addLevels draws level lines, and the bands between them from light blue, on which marks are visible, to white.
func (l Landscape) addLevels(p *plot.Plot) {
	values := &sampled{Landscape: l}
	for column := range resolution {
		for row := range resolution {
			values.z[column][row] = l.F(values.X(column), values.Y(row))
		}
	}
	bands := raster(resolution, resolution, func(column, row int) color.Color {
		band := sort.SearchFloat64s(l.Levels, values.Z(column, resolution-1-row))
		return tint(navy, 0.65*(1-float64(band)/float64(len(l.Levels))))
	})
	lines := plotter.NewContour(values, l.Levels, nil)
	lines.LineStyles = []vgdraw.LineStyle{{Color: tint(navy, 0.75), Width: hairline}}
	p.Add(plotter.NewImage(bands, l.XMin, l.YMin, l.XMax, l.YMax), lines)
}

const resolution = 320 // points of a landscape along each side

// sampled is a [plotter.GridXYZ] of a landscape, because gonum reads each value dozens of times.
type sampled struct {
	Landscape
	z [resolution][resolution]float64 // by column, then by row from the bottom
}

// Dims implements [plotter.GridXYZ].
func (*sampled) Dims() (columns, rows int) { return resolution, resolution }

// Z implements [plotter.GridXYZ].
func (s *sampled) Z(column, row int) float64 { return s.z[column][row] }

// X implements [plotter.GridXYZ].
func (s *sampled) X(column int) float64 {
	return s.XMin + (s.XMax-s.XMin)*(float64(column)+0.5)/resolution
}

// Y implements [plotter.GridXYZ].
func (s *sampled) Y(row int) float64 { return s.YMin + (s.YMax-s.YMin)*(float64(row)+0.5)/resolution }
