// Package draw turns plain structs into a [Figure], which [Files] or [PNG] renders. It trains nothing and reads no
// files.
//
// It is a style on top of gonum/plot: one sans-serif face at 7 and 8 points, thin dark axes, a light grid, and the
// colours of Okabe and Ito, each with its own marker and dash. Figures are 5.5 inches wide, the paper's text width.
package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
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
	curveLine  = vg.Length(0.9)
	markSize   = vg.Length(1.9)
)

// The colours of Okabe and Ito, "Color Universal Design" (2008), and neutral colours.
var (
	blue    = color.NRGBA{R: 0x00, G: 0x72, B: 0xB2, A: 0xFF}
	ink     = color.NRGBA{R: 0x1A, G: 0x1A, B: 0x1A, A: 0xFF}
	grey    = color.NRGBA{R: 0x59, G: 0x59, B: 0x59, A: 0xFF}
	wallInk = color.NRGBA{R: 0x3A, G: 0x3F, B: 0x47, A: 0xFF}
	gridInk = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 0xFF}
	navy    = color.NRGBA{R: 0x0B, G: 0x3C, B: 0x7D, A: 0xFF}
	white   = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
)

// tint mixes a share of a colour with white. It is opaque, because gonum's PDF files show transparent colours as grey.
func tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(end uint8) uint8 { return uint8(math.Round(255 - share*(255-float64(end)))) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xFF}
}

// marking is the style of a curve, of points or of a row.
type marking struct {
	color  color.NRGBA
	dashes []vg.Length
	glyph  vgdraw.GlyphDrawer
}

// markings distinguish up to eight names.
var markings = []marking{
	{blue, nil, vgdraw.CircleGlyph{}},
	{color.NRGBA{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}, []vg.Length{5, 2}, vgdraw.BoxGlyph{}},
	{ink, []vg.Length{1.5, 1.5}, vgdraw.PyramidGlyph{}},
	{color.NRGBA{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}, []vg.Length{5, 1.5, 1, 1.5}, vgdraw.SquareGlyph{}},
	{color.NRGBA{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}, []vg.Length{9, 2}, vgdraw.TriangleGlyph{}},
	{color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}, []vg.Length{3, 1}, vgdraw.CrossGlyph{}},
	{color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}, []vg.Length{5, 1, 1, 1, 1, 1}, vgdraw.RingGlyph{}},
	{grey, []vg.Length{1, 3}, vgdraw.PlusGlyph{}},
}

func (l marking) line() vgdraw.LineStyle {
	return vgdraw.LineStyle{Color: l.color, Width: curveLine, Dashes: l.dashes}
}

func (l marking) mark() vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: l.color, Radius: markSize, Shape: l.glyph}
}

// kinds are the markings of named curves, points or paths in all plots of a figure.
type kinds map[string]marking

// of returns the marking of a name, or the next marking if the name is new.
func (k kinds) of(name string) marking {
	if _, known := k[name]; !known {
		k[name] = markings[len(k)%len(markings)]
	}
	return k[name]
}

func scatter(style vgdraw.GlyphStyle, at ...plotter.XY) *plotter.Scatter {
	return &plotter.Scatter{XYs: at, GlyphStyle: style}
}

func line(style vgdraw.LineStyle, at ...plotter.XY) *plotter.Line {
	return &plotter.Line{XYs: at, LineStyle: style}
}

// frame returns the outline of a rectangle.
func frame(x0, y0, x1, y1 float64, c color.Color, width vg.Length) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}},
		LineStyle: vgdraw.LineStyle{Color: c, Width: width}}
}

// textStyle returns the figures' font at a size in points, with anchors.
func textStyle(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: x, YAlign: y, Handler: handler{text.Plain{Fonts: font.DefaultCache}}}
}

var small = textStyle(smallSize, ink, text.XLeft, text.YBottom)

// middle centres the digits of one line on a point; [text.YCenter] puts them a little lower.
const middle = text.YAlignment(-0.41)

func newPlot(title, xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.Title.Padding = title, 3
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	set := func(s *text.Style, size vg.Length) { *s = textStyle(size, ink, s.XAlign, s.YAlign) }
	set(&p.Title.TextStyle, labelSize)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding, a.Label.Padding, a.Tick.Length, a.Tick.Marker = 0, 2, 2.5, plot.TickerFunc(ticks)
		a.LineStyle = vgdraw.LineStyle{Color: ink, Width: 0.6}
		a.Tick.LineStyle = a.LineStyle
		set(&a.Label.TextStyle, labelSize)
		set(&a.Tick.Label, smallSize)
	}
	return p
}

// number formats a number, such as −0.001, 12.5, 20,000 or 2·10⁻⁸.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return strings.ReplaceAll(say.Thousands(int(x)), "-", "−")
	}
	digits, exponent, found := strings.Cut(strconv.FormatFloat(x, 'g', 4, 64), "e")
	if power, err := strconv.Atoi(exponent); found && err == nil {
		digits = times(digits, power)
	}
	return strings.ReplaceAll(digits, "-", "−")
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

// logTicks labels at most six powers of ten on an axis of decimal logarithms, such as 10⁻⁴, with few of them also 2 and
// 5 times them.
func logTicks(low, high float64) (list []plot.Tick) {
	every := max(1, math.Ceil((high-low)/5))
	for power := math.Floor(low); power <= high; power++ {
		for multiple := 1.0; multiple < 10 && (multiple == 1 || every == 1); multiple++ {
			t := plot.Tick{Value: power + math.Log10(multiple)}
			if t.Value < low-1e-9 || t.Value > high+1e-9 {
				continue
			}
			if multiple == 1 && math.Mod(power, every) == 0 || high-low < 1.5 && (multiple == 2 || multiple == 5) {
				t.Label = times(strconv.Itoa(int(multiple)), int(power))
			}
			list = append(list, t)
		}
	}
	return list
}

// scale gives values from low to high a colour.
type scale struct {
	low, high float64
	count     int                             // of the colours
	colour    func(share float64) color.Color // of low + share·(high − low)
}

// at returns the colour of a value; values outside the scale have the colours of its ends, and NaN that of walls.
func (s scale) at(value float64) color.Color {
	if math.IsNaN(value) {
		return wallInk
	}
	last := float64(s.count - 1)
	share := min(1, max(0, (value-s.low)/(s.high-s.low)))
	return s.colour(math.Floor(share*last+0.5) / last)
}

const smooth = 255 // a number of colours whose steps are invisible

// scaleOf returns a number of colours of a function: from minus its largest |value|, navy, over white to plus that,
// orange. The ends differ in hue for colour-blind readers and in luminance in greyscale.
func scaleOf(m []float64, count int) scale {
	limit := cmp.Or(floats.Norm(m, math.Inf(1)), 1)
	return scale{-limit, limit, count, func(share float64) color.Color {
		if share < 0.5 {
			return tint(navy, 1-2*share)
		}
		return tint(color.NRGBA{R: 0xE0, G: 0x6A, B: 0x00}, 2*share-1)
	}}
}

// sequential are the colours from 0, white, to 1, navy.
var sequential = scale{0, 1, smooth, func(share float64) color.Color { return tint(navy, share) }}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
