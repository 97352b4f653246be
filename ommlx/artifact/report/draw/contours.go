package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Contours draws functions of two variables side by side under one legend, as the loss of two parameters: level lines,
// the darker between them the lower, with marked points and with paths.
type Contours struct {
	XLabel, YLabel string
	Note           string // printed under the plots; may be empty
	Plots          []Landscape
}

// Landscape is one function on a rectangle. Both axes have the same scale.
type Landscape struct {
	Title                  string
	XMin, XMax, YMin, YMax float64
	// F is the function. It is evaluated all over the rectangle and must be finite there.
	F func(x, y float64) float64
	// Levels are the values of the level lines, ascending. For a steep function, floats.LogSpan from gonum spaces them
	// on top of its least value.
	Levels []float64
	Points []Points
	Paths  []Paths
}

// Points are points of one kind, as saddles. A kind looks the same in all plots of a figure.
type Points struct {
	Name string
	At   plotter.XYs
}

// Paths are curves of one kind, as those of gradient flow. What lies outside of the rectangle is not drawn.
type Paths struct {
	Name     string
	Directed bool // an arrow in the middle of each shows its direction; else lines are broad, as of a valley's floor
	Lines    []plotter.XYs
}

// Figure lays the plots out: 5.5 in wide. It is an error if a number is not finite. There are at most as many kinds of
// points or paths as can be told apart.
func (f Contours) Figure() (*Figure, error) {
	const pad, tall = vg.Length(8), vg.Length(1000)
	width := (pageWidth - pad*vg.Length(len(f.Plots)-1)) / vg.Length(len(f.Plots))
	plots, heights := make([]*plot.Plot, len(f.Plots)), make([]vg.Length, len(f.Plots))
	points, paths := map[string]vgdraw.GlyphStyle{}, map[string]lineStyle{} // the looks of the kinds so far
	var pointKeys, pathKeys []key
	for i, land := range f.Plots {
		if err := land.check(); err != nil {
			return nil, fmt.Errorf("contours: plot %d, %q: %w", i+1, land.Title, err)
		}
		p := newPlot(f.XLabel, f.YLabel)
		p.Title.Text = land.Title
		land.addLevels(p, i)
		for _, kind := range land.Paths {
			look, known := paths[kind.Name]
			if !known {
				look = pathStyles[len(paths)]
				paths[kind.Name], pathKeys = look, append(pathKeys, kind.key(look))
			}
			p.Add(kind.in(look))
		}
		for _, kind := range land.Points {
			look, known := points[kind.Name]
			if !known {
				look = pointStyles[len(points)]
				points[kind.Name], pointKeys = look, append(pointKeys, glyphKey(kind.Name, look))
			}
			p.Add(&plotter.Scatter{XYs: kind.At, GlyphStyle: look})
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = land.XMin, land.XMax, land.YMin, land.YMax
		// The frame around the data does not depend on the height: measure it, then choose the height of equal scales.
		data := p.DataCanvas(vgdraw.Canvas{Rectangle: rectangle(0, 0, width, tall)})
		ratio := vg.Length((land.YMax - land.YMin) / (land.XMax - land.XMin))
		plots[i], heights[i] = p, tall-data.Size().Y+ratio*data.Size().X
	}
	keys := append(pointKeys, pathKeys...)
	return framed(f.Note, keys, slices.Max(heights)+10, width, func(c vgdraw.Canvas) {
		for i, p := range plots {
			left, top := c.Min.X+vg.Length(i)*(width+pad), c.Max.Y-topGap
			p.Draw(vgdraw.Canvas{Canvas: c, Rectangle: rectangle(left, top-heights[i], left+width, top)})
		}
	}), nil
}

// The looks of kinds of points and of paths, in the order in which the kinds appear.
var (
	pointStyles = []vgdraw.GlyphStyle{
		marker{circle, false}.sized(2.2, ink),
		marker{diamond, true}.sized(2.2, vermillion),
		marker{triangle, true}.sized(2.2, ink),
		marker{square, false}.sized(2.2, ink),
		marker{wedge, true}.sized(2.2, purple),
		marker{cross, true}.sized(2.2, ink),
	}
	pathStyles = []lineStyle{
		{color: orange},
		{color: ink, dashes: []vg.Length{4, 1.5}},
		{color: purple, dashes: []vg.Length{1.2, 1.2}},
	}
)

func (l Landscape) check() error {
	grid := surface{Landscape: l, cells: samples}
	for i := range samples * samples {
		if x, y := grid.X(i%samples), grid.Y(i/samples); !finite(l.F(x, y)) {
			return fmt.Errorf("the function is not finite at (%v, %v)", x, y)
		}
	}
	kinds := slices.Clone(l.Paths)
	for _, p := range l.Points {
		kinds = append(kinds, Paths{Name: p.Name, Lines: []plotter.XYs{p.At}})
	}
	for _, k := range kinds {
		for _, at := range slices.Concat(k.Lines...) {
			if !finite(at.X, at.Y) {
				return fmt.Errorf("%q: a coordinate is not a finite number", k.Name)
			}
		}
	}
	return nil
}

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

var levelInk = color.NRGBA{R: 0x4A, G: 0x6A, B: 0x94, A: 0xFF}

// addLevels draws bands and level lines; the landscape is that of the number-th plot of its figure.
func (l Landscape) addLevels(p *plot.Plot, number int) {
	// As in picture, the number of pixels tells images apart in a PDF.
	bands := plotter.NewHeatMap(surface{l, 2*samples + number, l.below}, l)
	bands.Min, bands.Max, bands.Rasterized = 0, float64(len(l.Levels)), true
	lines := plotter.NewContour(surface{l, samples, func(value float64) float64 { return value }}, l.Levels, nil)
	lines.LineStyles = []vgdraw.LineStyle{{Color: levelInk, Width: hairline}}
	p.Add(bands, lines)
}

func (p Paths) in(style lineStyle) onPlot {
	return func(c vgdraw.Canvas, x, y func(float64) vg.Length) {
		for _, line := range p.Lines {
			points := make([]vg.Point, len(line))
			for i, at := range line {
				points[i] = vg.Point{X: x(at.X), Y: y(at.Y)}
			}
			for _, piece := range c.ClipLinesXY(points) {
				p.stroke(c, style, piece)
			}
		}
	}
}

func (p Paths) key(style lineStyle) key {
	return key{p.Name, func(c vgdraw.Canvas, r vg.Rectangle) {
		p.stroke(c, style, []vg.Point{{X: r.Min.X, Y: middle(r).Y}, {X: r.Max.X, Y: middle(r).Y}})
	}}
}

// stroke draws one path, with an arrow in its middle if it is directed.
func (p Paths) stroke(c vgdraw.Canvas, style lineStyle, points []vg.Point) {
	line := style.line()
	if !p.Directed {
		line.Width = 2
	}
	c.StrokeLines(line, points)
	ends := make([]float64, len(points)) // how long the path is up to each point
	for i := range points[1:] {
		step := points[i+1].Sub(points[i])
		ends[i+1] = ends[i] + math.Hypot(float64(step.X), float64(step.Y))
	}
	if i := sort.SearchFloat64s(ends, ends[len(ends)-1]/2); p.Directed && i > 0 {
		const size = 3.2
		step := points[i].Sub(points[i-1])
		along := step.Scale(vg.Length(size / 2 / math.Hypot(float64(step.X), float64(step.Y))))
		side := vg.Point{X: -along.Y, Y: along.X}
		c.FillPolygon(style.color, []vg.Point{points[i].Add(along), points[i].Sub(along).Add(side),
			points[i].Sub(along).Sub(side)})
	}
}
