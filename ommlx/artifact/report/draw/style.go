// Package draw turns plain structs into a [Figure], which [Files] or [PNG] renders. It trains nothing and reads no
// files.
//
// The style on top of gonum/plot is one sans-serif face at 7 and 8 points, thin dark axes, a light grid, and the
// colours of Okabe and Ito, each with its own marker or dash, so that curves differ without colour. Figures are 5.5
// inches wide, the text width of the paper.
package draw

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"omm-go/ommlx/internal/say"
)

// TextWidth is the width of the paper's text and of every figure, in points (5.5 in).
const TextWidth = 5.5 * vg.Inch

const (
	margin     = vg.Length(6) // around every figure
	pageWidth  = TextWidth - 2*margin
	smallSize  = vg.Length(7) // ticks, legends and notes, in points
	labelSize  = vg.Length(8) // axis labels and titles, in points
	lineHeight = smallSize + 2
	hairline   = vg.Length(0.4)
	axisLine   = vg.Length(0.6)
	curveLine  = vg.Length(0.9)
)

// The colours of Okabe and Ito, "Color Universal Design" (2008), and neutral colours.
var (
	blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xB2, A: 0xFF}
	skyBlue    = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}
	orange     = color.NRGBA{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}
	vermillion = color.NRGBA{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}
	green      = color.NRGBA{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}
	purple     = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}
	ink        = color.NRGBA{R: 0x1A, G: 0x1A, B: 0x1A, A: 0xFF}
	grey       = color.NRGBA{R: 0x59, G: 0x59, B: 0x59, A: 0xFF}
	wallInk    = color.NRGBA{R: 0x3A, G: 0x3F, B: 0x47, A: 0xFF}
	ruleInk    = color.NRGBA{R: 0xB0, G: 0xB0, B: 0xB0, A: 0xFF}
	gridInk    = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 0xFF}
	shade      = color.NRGBA{R: 0xEA, G: 0xEA, B: 0xEA, A: 0xFF}
	white      = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
)

// tint mixes a share of a colour with white. It is opaque, because gonum's PDF files show transparent colours as grey.
func tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(end uint8) uint8 { return uint8(math.Round(255 - share*(255-float64(end)))) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xFF}
}

// look is the style of a curve, of points or of a row.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	glyph  vgdraw.GlyphDrawer
}

// curveLooks distinguish up to eight curves.
var curveLooks = []look{
	{blue, nil, vgdraw.CircleGlyph{}},
	{vermillion, []vg.Length{5, 2}, vgdraw.SquareGlyph{}},
	{green, []vg.Length{1.5, 1.5}, vgdraw.PyramidGlyph{}},
	{ink, []vg.Length{5, 1.5, 1, 1.5}, vgdraw.RingGlyph{}},
	{skyBlue, nil, vgdraw.BoxGlyph{}},
	{orange, []vg.Length{5, 2}, vgdraw.TriangleGlyph{}},
	{purple, []vg.Length{1.5, 1.5}, vgdraw.CrossGlyph{}},
	{grey, nil, vgdraw.PlusGlyph{}},
}

// methodLooks are the looks of the paper's methods in figure 1 and in the learning curves.
var methodLooks = []look{
	{blue, nil, vgdraw.CircleGlyph{}}, {orange, nil, vgdraw.BoxGlyph{}}, {ink, nil, vgdraw.PyramidGlyph{}},
}

func (l look) line() vgdraw.LineStyle {
	return vgdraw.LineStyle{Color: l.color, Width: curveLine, Dashes: l.dashes}
}

func (l look) mark(radius vg.Length) vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: l.color, Radius: radius, Shape: l.glyph}
}

// kinds are the looks of named curves, points or paths in all plots of a figure.
type kinds map[string]look

// look returns the look of a name, or the next look if the name is new.
func (k kinds) look(name string, looks []look) (l look, isNew bool) {
	l, old := k[name]
	if !old {
		l = looks[len(k)%len(looks)]
		k[name] = l
	}
	return l, !old
}

func scatter(style vgdraw.GlyphStyle, at ...plotter.XY) *plotter.Scatter {
	return &plotter.Scatter{XYs: at, GlyphStyle: style}
}

func line(style vgdraw.LineStyle, at ...plotter.XY) *plotter.Line {
	return &plotter.Line{XYs: at, LineStyle: style}
}

// box returns the outline of a rectangle for a [plotter.Polygon].
func box(x0, y0, x1, y1 float64) plotter.XYs {
	return plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// textStyle returns the figures' font at a size in points, anchored at its left baseline.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: text.XLeft, YAlign: text.YBottom, Handler: text.Plain{Fonts: font.DefaultCache}}
}

// aligned is textStyle with other anchors.
func aligned(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	s := textStyle(size, c)
	s.XAlign, s.YAlign = x, y
	return s
}

// middle centres the digits of one line on a point; [text.YCenter] puts them a little lower.
const middle = text.YAlignment(-0.41)

// words puts a text at a point of a plot.
func words(style text.Style, x, y float64, s string) *plotter.Labels {
	return &plotter.Labels{XYs: plotter.XYs{{X: x, Y: y}}, Labels: []string{s}, TextStyle: []text.Style{style}}
}

func newPlot(title, xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.Title.Padding = title, 3
	set := func(s *text.Style, size vg.Length) {
		s.Font, s.Color, s.Handler = textStyle(size, ink).Font, ink, textStyle(size, ink).Handler
	}
	set(&p.Title.TextStyle, labelSize)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding, a.Label.Padding = 0, 2
		a.LineStyle = vgdraw.LineStyle{Color: ink, Width: axisLine}
		a.Tick.Marker, a.Tick.LineStyle, a.Tick.Length = plot.TickerFunc(ticks), a.LineStyle, 2.5
		set(&a.Label.TextStyle, labelSize)
		set(&a.Tick.Label, smallSize)
	}
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	return p
}

// grid draws light lines at the labelled ticks of x and, unless onlyX, of y.
func grid(onlyX bool) *plotter.Grid {
	style := vgdraw.LineStyle{Color: gridInk, Width: hairline}
	if onlyX {
		return &plotter.Grid{Vertical: style}
	}
	return &plotter.Grid{Vertical: style, Horizontal: style}
}

// number formats a number, such as −0.001, 12.5, 20,000 or 1e−8.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return strings.ReplaceAll(say.Thousands(int(x)), "-", "−")
	}
	text := strconv.FormatFloat(x, 'g', 4, 64)
	return strings.NewReplacer("e-0", "e−", "e+0", "e", "e+", "e", "-", "−").Replace(text)
}

// ticks labels the multiples of the largest 1, 2, 4 or 5 times a power of ten that gives at least three labels, and has
// a tick halfway between.
func ticks(low, high float64) (list []plot.Tick) {
	for power := math.Floor(math.Log10(high - low)); ; power-- {
		for _, multiple := range []float64{5, 4, 2, 1} {
			half := multiple * math.Pow(10, power) / 2
			first, last := math.Ceil(low/half-1e-9), math.Floor(high/half+1e-9)
			if math.Floor(last/2)-math.Ceil(first/2) < 2 {
				continue
			}
			for i := first; i <= last; i++ {
				t := plot.Tick{Value: i * half}
				if math.Mod(i, 2) == 0 {
					t.Label = number(t.Value)
				}
				list = append(list, t)
			}
			return list
		}
	}
}

// logTicks returns the ticks of a logarithmic axis. It labels at most that many powers of ten, and with fewer than two
// also their multiples by 2 and 5.
func logTicks(most int) plot.TickerFunc {
	return func(low, high float64) (list []plot.Tick) {
		first, last := math.Ceil(math.Log10(low)-1e-9), math.Floor(math.Log10(high)+1e-9)
		every := max(1, math.Ceil((last-first+1)/float64(most)))
		for power := first - 1; power <= last; power++ {
			for multiple := 1.0; multiple <= 9; multiple++ {
				t := plot.Tick{Value: multiple * math.Pow(10, power)}
				if t.Value < low*(1-1e-9) || t.Value > high*(1+1e-9) || every > 1 && multiple > 1 {
					continue
				}
				short := last < first+1 && (multiple == 2 || multiple == 5)
				if multiple == 1 && math.Mod(last-power, every) == 0 || short {
					t.Label = number(t.Value)
				}
				list = append(list, t)
			}
		}
		return list
	}
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// wrap breaks the lines of a text at spaces so that none is wider than width.
func wrap(s string, style text.Style, width vg.Length) string {
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		now := ""
		for _, word := range strings.Fields(line) {
			longer := strings.TrimSpace(now + " " + word)
			if now != "" && style.Width(longer) > width {
				lines, longer = append(lines, now), word
			}
			now = longer
		}
		lines = append(lines, now)
	}
	return strings.Join(lines, "\n")
}
