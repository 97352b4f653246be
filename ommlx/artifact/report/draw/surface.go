package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// surface is a [plotter.GridXYZ]: values at the centres of equal cells of a rectangle.
type surface struct {
	x0, x1, y0, y1 float64
	z              [][]float64 // by column, then by row, upwards
}

// Dims implements [plotter.GridXYZ].
func (s surface) Dims() (columns, rows int) { return len(s.z), len(s.z[0]) }

// Z implements [plotter.GridXYZ].
func (s surface) Z(column, row int) float64 { return s.z[column][row] }

// X implements [plotter.GridXYZ].
func (s surface) X(column int) float64 {
	return s.x0 + (s.x1-s.x0)*(float64(column)+0.5)/float64(len(s.z))
}

// Y implements [plotter.GridXYZ].
func (s surface) Y(row int) float64 {
	return s.y0 + (s.y1-s.y0)*(float64(row)+0.5)/float64(len(s.z[0]))
}

// cells returns the surface of a table by its rows, the first at the top, of cells one unit wide and high. A cell has
// many pixels, because viewers blur the edges of pixels.
func cells(rows [][]float64) surface {
	pixels := max(8, 400/len(rows[0]))
	s := surface{x1: float64(len(rows[0])), y1: float64(len(rows)), z: make([][]float64, pixels*len(rows[0]))}
	for column := range s.z {
		for row := range pixels * len(rows) {
			s.z[column] = append(s.z[column], rows[len(rows)-1-row/pixels][column/pixels])
		}
	}
	return s
}

// heat is a [plotter.HeatMap] without a glyph box for each pixel, which would take seconds.
type heat struct {
	plot.Plotter
	plot.DataRanger
}

// newHeat returns the image of a surface, with the colours of a scale from low to high, and of NaN.
func newHeat(s surface, colours scale, low, high float64, nan color.Color) heat {
	h := &plotter.HeatMap{GridXYZ: s, Palette: colours, Min: low, Max: high, Rasterized: true,
		Underflow: colours[0], Overflow: colours[len(colours)-1], NaN: nan}
	return heat{h, h}
}

// heatPlot returns a plot of the image of a surface in a frame, with a title and a caption below.
func heatPlot(title, caption string, s surface, colours scale, low, high float64) *plot.Plot {
	p := newPlot(title, caption, "")
	p.HideAxes()
	p.X.Label.TextStyle.Font.Size = smallSize
	p.Add(newHeat(s, colours, low, high, wallInk), frame(s.x0, s.y0, s.x1, s.y1, wallInk, axisLine))
	return p
}

func frame(x0, y0, x1, y1 float64, c color.Color, width vg.Length) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{box(x0, y0, x1, y1)},
		LineStyle: vgdraw.LineStyle{Color: c, Width: width}}
}

// scale is a [palette.Palette], from the lowest value to the highest.
type scale []color.Color

// Colors implements [palette.Palette].
func (s scale) Colors() []color.Color { return s }

// steps returns n equally spaced colours.
func steps(n int, low, high float64, colour func(float64) color.Color) (list scale) {
	for i := range n {
		list = append(list, colour(low+(high-low)*float64(i)/float64(n-1)))
	}
	return list
}

// diverging returns the colour of t in [−1, 1]: navy, white at 0, orange. The ends differ in hue for colour-blind
// readers and in luminance in greyscale.
func diverging(t float64) color.Color {
	if t < 0 {
		return tint(color.NRGBA{R: 0x0B, G: 0x3C, B: 0x7D}, min(1, -t))
	}
	return tint(color.NRGBA{R: 0xE0, G: 0x6A, B: 0x00}, min(1, t))
}

// sequential returns the colour of t in [0, 1], from white to navy.
func sequential(t float64) color.Color { return diverging(-t) }

const barHeight = 2*lineHeight + 9

// drawBar draws a colour bar at the bottom of c, with the values at its ends and a title. A [plotter.ColorBar] would
// blur the steps and end one step before the highest colour.
func drawBar(c vgdraw.Canvas, colours scale, low, high, title string) {
	const width, thick = vg.Length(96), vg.Length(6)
	step := width / vg.Length(len(colours))
	left, y := c.Center().X-width/2, c.Min.Y+lineHeight+3
	for i, colour := range colours {
		x := left + vg.Length(i)*step
		c.SetColor(colour)
		c.Fill(rectangle(x, y, min(x+step+0.25, left+width), y+thick).Path())
	}
	c.SetLineStyle(vgdraw.LineStyle{Color: ink, Width: hairline})
	c.Stroke(rectangle(left, y, left+width, y+thick).Path())
	half := y + thick/2
	c.FillText(aligned(smallSize, ink, text.XRight, middle), vg.Point{X: left - 5, Y: half}, low)
	c.FillText(aligned(smallSize, ink, text.XLeft, middle), vg.Point{X: left + width + 5, Y: half}, high)
	c.FillText(aligned(smallSize, ink, text.XCenter, text.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 1}, title)
}
