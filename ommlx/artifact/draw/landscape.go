package draw

import (
	"image"
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// samples is the number of cells along each side of the grid on which level lines are found.
const samples = 160

// scene paints a landscape: bands, level lines, paths, points. It is the plot-th of its figure.
type scene struct {
	Landscape
	styles
	plot int
}

// Plot implements [plot.Plotter].
func (s scene) Plot(c vgdraw.Canvas, p *plot.Plot) {
	// As in picture, the number of pixels tells images apart in a PDF.
	c.DrawImage(c.Rectangle, s.bands(2*samples+s.plot))
	x, y := p.Transforms(&c)
	c.SetLineStyle(vgdraw.LineStyle{Color: levelInk, Width: hairline})
	for _, level := range s.Levels {
		var path vg.Path
		for _, segment := range s.levelLine(level) {
			path.Move(vg.Point{X: x(segment[0].x), Y: y(segment[0].y)})
			path.Line(vg.Point{X: x(segment[1].x), Y: y(segment[1].y)})
		}
		if len(path) > 0 {
			c.Stroke(path)
		}
	}
	for _, kind := range s.Paths {
		for _, line := range kind.Lines {
			points := make([]vg.Point, len(line))
			for i, at := range line {
				points[i] = vg.Point{X: x(at.X), Y: y(at.Y)}
			}
			for _, piece := range c.ClipLinesXY(points) {
				kind.stroke(c, s.paths[kind.Name], piece)
			}
		}
	}
	for _, kind := range s.Points {
		for _, at := range kind.At {
			c.DrawGlyph(s.points[kind.Name], vg.Point{X: x(at.X), Y: y(at.Y)})
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

// levelInk is the colour of level lines.
var levelInk = color.NRGBA{R: 0x4A, G: 0x6A, B: 0x94, A: 0xFF}

// bands colours size×size pixels by the number of levels below the function's value there.
func (l Landscape) bands(size int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for px := range size {
		x := l.XMin + (l.XMax-l.XMin)*(float64(px)+0.5)/float64(size)
		for py := range size {
			y := l.YMin + (l.YMax-l.YMin)*(float64(py)+0.5)/float64(size)
			img.Set(px, size-1-py, l.band(l.F(x, y)))
		}
	}
	return img
}

// band is the colour of a value: white above all levels, and a blue that is light enough for marks below all.
func (l Landscape) band(value float64) color.Color {
	below := sort.SearchFloat64s(l.Levels, value)
	return diverging(-0.65 * (1 - float64(below)/float64(len(l.Levels))))
}

// at is the point (i, j) of the grid on which level lines are found, i to the right and j upwards from 0 to samples.
func (l Landscape) at(i, j int) (x, y float64) {
	return l.XMin + (l.XMax-l.XMin)*float64(i)/samples, l.YMin + (l.YMax-l.YMin)*float64(j)/samples
}

// corner is a point of the grid, or one between two, with the height of the function above a level.
type corner struct{ x, y, height float64 }

// levelLine returns the pieces of the line where the function has the level's value. Each cell of the grid is two
// triangles, on which the function is taken to be linear. Gonum's contour plotter is not used: it joins pieces to lines
// in an order that changes from call to call, and so would the bytes of a figure.
func (l Landscape) levelLine(level float64) (pieces [][2]corner) {
	node := func(i, j int) corner {
		x, y := l.at(i, j)
		return corner{x, y, l.F(x, y) - level}
	}
	column := func(i int) (c [samples + 1]corner) {
		for j := range c {
			c[j] = node(i, j)
		}
		return c
	}
	left := column(0)
	for i := range samples {
		right := column(i + 1)
		for j := range samples {
			a, b, c, d := left[j], right[j], right[j+1], left[j+1]
			for _, triangle := range [2][3]corner{{a, b, c}, {a, c, d}} {
				if piece, found := zeros(triangle); found {
					pieces = append(pieces, piece)
				}
			}
		}
		left = right
	}
	return pieces
}

// zeros returns the line on which a function that is linear on a triangle vanishes.
func zeros(triangle [3]corner) (piece [2]corner, found bool) {
	n := 0
	for i, a := range triangle {
		b := triangle[(i+1)%3]
		if (a.height > 0) == (b.height > 0) {
			continue
		}
		share := a.height / (a.height - b.height)
		piece[n] = corner{a.x + share*(b.x-a.x), a.y + share*(b.y-a.y), 0}
		n++
	}
	return piece, n == 2
}
