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
	margin     = vg.Length(6) // around every figure
	pageWidth  = TextWidth - 2*margin
	smallSize  = vg.Length(7) // ticks, legends, notes: the smallest text anywhere, in points
	labelSize  = vg.Length(8) // axis labels and panel titles, in points
	hairline   = vg.Length(0.4)
	lineHeight = smallSize + 2
	axisLine   = vg.Length(0.6)
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
		a.Tick.Marker = plot.TickerFunc(ticks)
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

// onPlot draws on the data area of a plot, which reserves no space for it; x and y take numbers to places on c.
type onPlot func(c vgdraw.Canvas, x, y func(float64) vg.Length)

// Plot implements [plot.Plotter].
func (draw onPlot) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	draw(c, x, y)
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
