package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

type shape int

const (
	circle shape = iota
	square
	triangle
	wedge // triangle, point down
	diamond
	cross
)

// marker is a glyph of this house: filled, or open with a white inside so that no line shows through.
type marker struct {
	shape  shape
	filled bool
}

// DrawGlyph implements [vgdraw.GlyphDrawer].
func (m marker) DrawGlyph(c *vgdraw.Canvas, s vgdraw.GlyphStyle, at vg.Point) {
	line := vgdraw.LineStyle{Color: s.Color, Width: 0.6}
	r := s.Radius
	if m.shape == cross {
		line.Width = 0.9
		c.StrokeLine2(line, at.X-r, at.Y-r, at.X+r, at.Y+r)
		c.StrokeLine2(line, at.X-r, at.Y+r, at.X+r, at.Y-r)
		return
	}
	path := m.outline(at, r)
	c.SetColor(white)
	if m.filled {
		c.SetColor(s.Color)
	}
	c.Fill(path)
	if !m.filled {
		c.SetLineStyle(line)
		c.Stroke(path)
	}
}

// outline is the closed outline of the marker. A circle is a 24-gon (a 12-gon when tiny), which cannot be told from one
// and renders alike in all three formats.
func (m marker) outline(at vg.Point, r vg.Length) vg.Path {
	sides, turn := 24, 0.0
	if r < 1 {
		sides = 12
	}
	switch m.shape {
	case square:
		sides, turn, r = 4, math.Pi/4, r*1.2
	case diamond:
		sides, r = 4, r*1.3
	case triangle:
		sides, turn, r = 3, math.Pi/2, r*1.3
	case wedge:
		sides, turn, r = 3, -math.Pi/2, r*1.3
	}
	var p vg.Path
	for i := range sides {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(sides))
		pt := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
	return p
}

// lineStyle is the look of one curve: colour, dash and marker.
type lineStyle struct {
	color  color.NRGBA
	dashes []vg.Length
	mark   marker
}

func (s lineStyle) line() vgdraw.LineStyle {
	return vgdraw.LineStyle{Color: s.color, Width: 0.9, Dashes: s.dashes}
}

func (s lineStyle) glyph() vgdraw.GlyphStyle { return s.mark.sized(1.7, s.color) }

func (m marker) sized(radius vg.Length, c color.Color) vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: c, Radius: radius, Shape: m}
}

// curveStyles tell up to eight curves apart.
var curveStyles = []lineStyle{
	{blue, nil, marker{circle, true}},
	{vermillion, []vg.Length{5, 2}, marker{square, false}},
	{green, []vg.Length{1.5, 1.5}, marker{triangle, true}},
	{ink, []vg.Length{5, 1.5, 1, 1.5}, marker{diamond, false}},
	{skyBlue, nil, marker{square, true}},
	{orange, []vg.Length{5, 2}, marker{circle, false}},
	{purple, []vg.Length{1.5, 1.5}, marker{diamond, true}},
	{grey, nil, marker{triangle, false}},
}
