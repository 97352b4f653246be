package draw

import (
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// samples is the number of cells along each side of the grid on which a function is evaluated.
const samples = 160

// surface are the values of a function in the middle of each of cells×cells cells of its rectangle, as
// [plotter.GridXYZ].
type surface struct {
	Landscape
	cells int
	of    func(value float64) float64
}

func (s surface) Dims() (columns, rows int) { return s.cells, s.cells }
func (s surface) Z(column, row int) float64 { return s.of(s.F(s.X(column), s.Y(row))) }
func (s surface) X(column int) float64      { return s.XMin + (s.XMax-s.XMin)*s.share(column) }
func (s surface) Y(row int) float64         { return s.YMin + (s.YMax-s.YMin)*s.share(row) }
func (s surface) share(cell int) float64    { return (float64(cell) + 0.5) / float64(s.cells) }

// below is the number of levels below a value.
func (l Landscape) below(value float64) float64 { return float64(sort.SearchFloat64s(l.Levels, value)) }

// Colors are those of bands by the number of levels below them, as [palette.Palette]: a blue that is light enough for
// marks below all levels, white above all.
func (l Landscape) Colors() (list []color.Color) {
	for below := range len(l.Levels) + 1 {
		list = append(list, diverging(-0.65*(1-float64(below)/float64(len(l.Levels)))))
	}
	return list
}

// levelInk is the colour of level lines.
var levelInk = color.NRGBA{R: 0x4A, G: 0x6A, B: 0x94, A: 0xFF}

// addTo draws bands, level lines, paths and points; the landscape is that of the number-th plot of its figure.
func (l Landscape) addTo(p *plot.Plot, kinds styles, number int) {
	// As in picture, the number of pixels tells images apart in a PDF.
	bands := plotter.NewHeatMap(surface{l, 2*samples + number, l.below}, l)
	bands.Min, bands.Max, bands.Rasterized = 0, float64(len(l.Levels)), true
	lines := plotter.NewContour(surface{l, samples, func(value float64) float64 { return value }}, l.Levels, nil)
	lines.LineStyles = []vgdraw.LineStyle{{Color: levelInk, Width: hairline}}
	p.Add(bands, lines)
	for _, kind := range l.Paths {
		p.Add(paths{kind, kinds.paths[kind.Name]})
	}
	for _, kind := range l.Points {
		p.Add(&plotter.Scatter{XYs: kind.At, GlyphStyle: kinds.points[kind.Name]})
	}
}

// paths are paths of one look.
type paths struct {
	Paths
	style lineStyle
}

// Plot implements [plot.Plotter].
func (s paths) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, line := range s.Lines {
		points := make([]vg.Point, len(line))
		for i, at := range line {
			points[i] = vg.Point{X: x(at.X), Y: y(at.Y)}
		}
		for _, piece := range c.ClipLinesXY(points) {
			s.stroke(c, s.style, piece)
		}
	}
}

// stroke draws one path, with an arrow in its middle if it is directed.
func (p Paths) stroke(c vgdraw.Canvas, style lineStyle, points []vg.Point) {
	line := style.line()
	if !p.Directed {
		line.Width = 2
		c.StrokeLines(line, points)
		return
	}
	c.StrokeLines(line, points)
	length := vg.Length(0)
	for i := range points[1:] {
		length += distance(points[i], points[i+1])
	}
	const size = vg.Length(3.2)
	before := vg.Length(0)
	for i := range points[1:] {
		from, to := points[i], points[i+1]
		step := distance(from, to)
		if before += step; before < length/2 || step == 0 {
			continue
		}
		along := vg.Point{X: (to.X - from.X) / step, Y: (to.Y - from.Y) / step}
		tip := to.Add(along.Scale(size / 2))
		back := to.Add(along.Scale(-size / 2))
		side := vg.Point{X: -along.Y, Y: along.X}.Scale(size / 2)
		c.FillPolygon(style.color, []vg.Point{tip, back.Add(side), back.Sub(side)})
		return
	}
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}
