// Package draw turns saved results into figures. It trains nothing and reads no files: plain structs go in, a [Figure]
// comes out, and [Save] or [PNG] renders it.
//
// House style: one sans-serif face at 7 and 8 pt, thin dark axes, a light grid, the Okabe–Ito colours, and a second cue
// beside every colour (outline, marker or dash), so that a figure reads in grey and to the colour-blind. Figures
// are 5.5 in wide, the text width of the paper, and are to be included at that size.
package draw

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
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

// Drawing is what can be drawn: [Fig1], [Fig3], [Curves], [CurvesRow], [CurvesGrid], [Contours], [HeatMaps], [Panels],
// [Scores] and [Dots]. The error says which number cannot be drawn.
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

// Colours of Okabe and Ito, "Color Universal Design" (2008); the neutrals are ours.
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
	gridInk    = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 0xFF}
	bandInk    = color.NRGBA{R: 0xF4, G: 0xF4, B: 0xF4, A: 0xFF}
	white      = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
)

// The ends of the diverging scale differ in hue for the colour-blind and in luminance for grey: negative is darker.
var (
	negativeEnd = color.NRGBA{R: 0x0B, G: 0x3C, B: 0x7D, A: 0xFF}
	positiveEnd = color.NRGBA{R: 0xE0, G: 0x6A, B: 0x00, A: 0xFF}
)

// diverging is the colour of t in [−1, 1]: navy, white at 0, orange.
func diverging(t float64) color.Color {
	if t < 0 {
		return tint(negativeEnd, -t)
	}
	return tint(positiveEnd, t)
}

// scoreColour is the colour of a share of a scale: white at its lower end, navy at its upper.
func scoreColour(share float64) color.Color { return diverging(-share) }

// tint mixes a share of a colour, at most all of it, with white.
func tint(full color.NRGBA, share float64) color.NRGBA {
	share = min(1, share)
	mix := func(full uint8) uint8 { return uint8(math.Round(255 - share*(255-float64(full)))) }
	return color.NRGBA{R: mix(full.R), G: mix(full.G), B: mix(full.B), A: 0xFF}
}

func transparent(c color.NRGBA, opacity uint8) color.NRGBA {
	c.A = opacity
	return c
}

// levels are the colours of −1 to 1, so many on either side of white.
func levels(n int) (p color.Palette) {
	for level := -n; level <= n; level++ {
		p = append(p, diverging(float64(level)/float64(n)))
	}
	return p
}

// indexed reduces a picture to 256 colours, which takes a third of the bytes: to a palette and tints of the inks, or
// without one to tints of the house's colours, of which nearly all of a figure is, and the most frequent ones beside
// them.
func indexed(img *image.RGBA, palette color.Palette) *image.Paletted {
	inks, most := []color.NRGBA{ink, grey}, 0
	if palette == nil {
		palette, most = levels(48), 256
		inks = append(inks, blue, skyBlue, orange, vermillion, green, purple, wallInk)
	}
	for _, c := range inks {
		for i := range 12 {
			palette = append(palette, tint(c, float64(i+1)/12))
		}
	}
	var pixels []color.RGBA
	count := map[color.RGBA]int{}
	for p := range slices.Chunk(img.Pix, 4) {
		c := color.RGBA{p[0], p[1], p[2], p[3]}
		pixels = append(pixels, c)
		count[c]++
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	for _, c := range frequent[:max(0, min(len(frequent), most-len(palette)))] {
		palette = append(palette, c)
	}
	index := make(map[color.RGBA]uint8, len(count))
	for c := range count {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(img.Rect, palette)
	for i, c := range pixels {
		out.Pix[i] = index[c]
	}
	return out
}
