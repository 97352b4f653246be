// Package draw turns saved results into figures. It trains nothing and reads no files: plain structs go in, a [Figure]
// comes out, and [Save] or [PNG] renders it.
//
// House style: one sans-serif face at 7 and 8 pt, thin dark axes, a light grid, the Okabe–Ito colours, and a second cue
// beside every colour (outline, marker or dash), so that a figure reads in grey and to the colour-blind. Figures
// are 5.5 in wide, the text width of the paper, and are to be included at that size.
package draw

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"operator-omm/ommlx/internal/say"
)

// TextWidth is the width of the paper's text block, in points (5.5 in).
const TextWidth = 5.5 * vg.Inch

const (
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
	Width, Height vg.Length // in points
	paint         func(vgdraw.Canvas)
}

// textStyle is the house face at a size in points, anchored at its left baseline.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
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
	p.Title.TextStyle.Font = textStyle(labelSize, ink).Font
	p.Title.TextStyle.Color = ink
	p.Title.Padding = 4
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = vgdraw.LineStyle{Color: ink, Width: axisLine}
		a.Padding = 0
		a.Label.TextStyle.Font = textStyle(labelSize, ink).Font
		a.Label.TextStyle.Color = ink
		a.Label.Padding = 2
		a.Tick.LineStyle = vgdraw.LineStyle{Color: ink, Width: axisLine}
		a.Tick.Length = 2.5
		a.Tick.Label.Font = textStyle(smallSize, ink).Font
		a.Tick.Label.Color = ink
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

// ticks are gonum's, with whole numbers as 80,000.
func ticks(low, high float64) []plot.Tick {
	list := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range list {
		if t.Label != "" && t.Value == math.Trunc(t.Value) && math.Abs(t.Value) < 1e9 {
			list[i].Label = say.Thousands(int(t.Value))
		}
	}
	return list
}

// wholeTicks labels whole numbers, at most nine of them, from low on.
func wholeTicks(low, high float64) []plot.Tick {
	var ts []plot.Tick
	step := max(1, math.Ceil((high-low)/8))
	for x := math.Ceil(low); x <= high; x += step {
		ts = append(ts, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', 0, 64)})
	}
	return ts
}

// logScale is [plot.LogScale] with the mean of the ends in the middle. Package plot reserves space for the name of an
// axis around that number, which on a logarithmic axis lies near the upper end: a long name left a quarter of a plot
// empty.
type logScale struct{ plot.LogScale }

// Normalize returns where x is between low, 0, and high, 1.
func (s logScale) Normalize(low, high, x float64) float64 {
	if x == 0.5*(high+low) {
		return 0.5
	}
	return s.LogScale.Normalize(low, high, x)
}

// logTicks labels powers of ten, at most eight of them, and 2 and 5 times those where the axis has few; the other
// multiples are ticks without a label.
func logTicks(low, high float64) []plot.Tick {
	const edge = 1 + 1e-9
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	every := math.Ceil((to - from + 1) / 8)
	short := high/low < 50
	var ticks []plot.Tick
	for power := from; power <= to; power++ {
		for multiple := 1; multiple <= 9; multiple++ {
			value := float64(multiple) * math.Pow(10, power)
			if value < low/edge || value > high*edge {
				continue
			}
			labelled := multiple == 1 && math.Mod(power, every) == 0 || short && (multiple == 2 || multiple == 5)
			switch {
			case labelled:
				ticks = append(ticks, plot.Tick{Value: value, Label: powerLabel(value)})
			case every == 1: // further out they would be a smear
				ticks = append(ticks, plot.Tick{Value: value})
			}
		}
	}
	return ticks
}

// powerLabel writes 0.001, 5 and 20,000, but 1e-5 and 1e6.
func powerLabel(value float64) string {
	switch {
	case value >= 1 && value < 1e5:
		return say.Thousands(int(math.Round(value)))
	case value >= 0.9e-3 && value < 1:
		return strconv.FormatFloat(value, 'g', 3, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', 0, 64), "e")
	sign := strings.TrimPrefix(exponent[:1], "+")
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
