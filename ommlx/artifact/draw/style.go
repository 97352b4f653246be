// Package draw turns saved results into figures. It trains nothing and reads no files: plain structs go in, a [Figure]
// comes out, and [Save] or [PNG] renders it.
//
// House style: one sans-serif face at 7 and 8 pt, thin dark axes, a light grid, the Okabe–Ito colours, and a second cue
// beside every colour (outline, marker or dash), so that a figure reads in grey and to the colour-blind. Figures
// are 5.5 in wide, the text width of the paper, and are to be included at that size.
package draw

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// TextWidth is the width of the paper's text block, in points (5.5 in), and of every figure.
const TextWidth = 5.5 * vg.Inch

const (
	margin    = vg.Length(6) // around every figure
	pageWidth = TextWidth - 2*margin
	smallSize = vg.Length(7) // ticks, legends, notes: the smallest text anywhere, in points
	labelSize = vg.Length(8) // axis labels and panel titles, in points
	hairline  = vg.Length(0.4)
	axisLine  = vg.Length(0.6)
)

// Drawing is what can be drawn: [Fig1], [Fig3], [Curves], [CurvesRow], [CurvesGrid], [Contours], [HeatMaps], [Panels]
// and [Scores]. The error says which number cannot be drawn.
type Drawing interface{ Figure() (*Figure, error) }

// Figure is a drawing of fixed size that has not been rendered yet. Make one with the Figure method of a [Drawing].
type Figure struct {
	Width, Height vg.Length     // in points
	dpi           float64       // of its PNG, in dots per inch
	palette       color.Palette // of its PNG, with tints of the inks; nil: tints of all colours
	paint         func(vgdraw.Canvas)
}

// page is a figure of [TextWidth] with margins around what paint draws, which is [pageWidth] wide and of the given
// height. Its PNG has at least leastPixels for a panel of the given width.
func page(height, panel vg.Length, paint func(vgdraw.Canvas)) *Figure {
	return &Figure{Width: TextWidth, Height: height + 2*margin, dpi: max(DPI, leastPixels*72/float64(panel)),
		paint: func(c vgdraw.Canvas) { paint(vgdraw.Crop(c, margin, -margin, margin, -margin)) }}
}

// textStyle is the house face at a size in points, anchored at its left baseline.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: scripts{text.Plain{Fonts: font.DefaultCache}},
	}
}

func centred(size vg.Length, c color.Color) text.Style {
	s := textStyle(size, c)
	s.XAlign = text.XCenter
	return s
}

// newPlot returns an empty plot with the house's axes.
func newPlot(xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Padding = 5
	house := func(s *text.Style, size vg.Length) {
		of := textStyle(size, ink)
		s.Font, s.Color, s.Handler = of.Font, of.Color, of.Handler
	}
	house(&p.Title.TextStyle, labelSize)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = vgdraw.LineStyle{Color: ink, Width: axisLine}
		a.Padding = 0
		a.Label.Padding = 2
		a.Tick.LineStyle = vgdraw.LineStyle{Color: ink, Width: axisLine}
		a.Tick.Length = 2.5
		house(&a.Label.TextStyle, labelSize)
		house(&a.Tick.Label, smallSize)
	}
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	return p
}

// gridLines are light lines across the data area at every labelled tick.
func gridLines() *plotter.Grid {
	line := vgdraw.LineStyle{Color: gridInk, Width: hairline}
	return &plotter.Grid{Vertical: line, Horizontal: line}
}

// words writes texts into a plot, which reserves no space for them.
type words plotter.Labels

// Plot implements [plot.Plotter].
func (w words) Plot(c vgdraw.Canvas, p *plot.Plot) { (*plotter.Labels)(&w).Plot(c, p) }

func (w *words) add(x, y float64, style text.Style, label string) {
	w.XYs = append(w.XYs, plotter.XY{X: x, Y: y})
	w.Labels, w.TextStyle = append(w.Labels, label), append(w.TextStyle, style)
}

// wrap breaks a text into lines no wider than width, at spaces.
func wrap(s string, style text.Style, width vg.Length) []string {
	var lines []string
	for _, paragraph := range strings.Split(s, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && style.Width(longer) > width {
				lines, longer = append(lines, line), word
			}
			line = longer
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

const lineHeight = smallSize + 2

// footer draws lines of small grey text at the bottom of c and returns what is left of c above them.
func footer(c vgdraw.Canvas, lines []string) vgdraw.Canvas {
	style := textStyle(smallSize, grey)
	descent := style.FontExtents().Descent
	for i, line := range lines {
		y := c.Min.Y + vg.Length(len(lines)-1-i)*lineHeight + descent
		c.FillText(style, vg.Point{X: c.Min.X, Y: y}, line)
	}
	if len(lines) > 0 {
		c.Min.Y += vg.Length(len(lines))*lineHeight + 3
	}
	return c
}

// rectangle is the box with the given left, bottom, right and top edges.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}
