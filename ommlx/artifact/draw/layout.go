package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// framed is a figure with a legend above and a note below what paint draws.
func framed(note string, keys []key, height vg.Length, paint func(vgdraw.Canvas)) *Figure {
	notes := wrap(note, textStyle(smallSize, grey), TextWidth)
	legend := flow(keys, TextWidth-keyIndent)
	height += vg.Length(len(notes)+len(legend)) * lineHeight
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = paintKeys(footer(c, notes), keys)
		c.Max.Y -= 4
		c.Max.X -= 4
		paint(c)
	}}
}

// tiled is a figure of plots in rows of so many columns, each row so high, with their data in line.
func tiled(note string, keys []key, columns int, height vg.Length, plots []*plot.Plot) *Figure {
	rows := (len(plots) + columns - 1) / columns
	return framed(note, keys, vg.Length(rows)*height, func(c vgdraw.Canvas) {
		table := make([][]*plot.Plot, rows)
		for i := range table {
			table[i] = make([]*plot.Plot, columns)
			copy(table[i], plots[i*columns:])
		}
		tiles := vgdraw.Tiles{Rows: rows, Cols: columns, PadX: 8, PadY: 2}
		for i, row := range plot.Align(table, tiles, c) {
			for j, area := range row {
				if table[i][j] != nil {
					table[i][j].Draw(area)
				}
			}
		}
	})
}

// key is one entry of a legend. Gonum's legend has one entry per line; this one has as many as fit.
type key struct {
	label string
	draw  func(c vgdraw.Canvas, r vg.Rectangle) // the sample, within r
}

const (
	keyWidth  = vg.Length(13)    // of the sample
	keyGap    = vg.Length(9)     // between keys of a row
	keyHeight = lineHeight + 1.5 // of a row of keys
	keyIndent = vg.Length(28)    // brings a legend in line with the axes below it
)

func lineKey(label string, s lineStyle) key {
	return key{label, func(c vgdraw.Canvas, r vg.Rectangle) {
		at := middle(r)
		c.StrokeLine2(s.line(), r.Min.X, at.Y, r.Max.X, at.Y)
		c.DrawGlyphNoClip(s.glyph(), at)
	}}
}

func glyphKey(label string, g vgdraw.GlyphStyle) key {
	return key{label, func(c vgdraw.Canvas, r vg.Rectangle) { c.DrawGlyphNoClip(g, middle(r)) }}
}

func (k key) width() vg.Length {
	return keyWidth + 3 + textStyle(smallSize, ink).Width(k.label)
}

// flow arranges keys in rows no wider than width.
func flow(keys []key, width vg.Length) [][]key {
	var rows [][]key
	used := vg.Length(0)
	for _, k := range keys {
		if len(rows) == 0 || used+k.width() > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		used += k.width() + keyGap
	}
	return rows
}

// paintKeys writes keys in rows from the top of c on and returns the rest.
func paintKeys(c vgdraw.Canvas, keys []key) vgdraw.Canvas {
	for _, row := range flow(keys, c.Size().X-keyIndent) {
		c.Max.Y -= keyHeight
		at := vg.Point{X: c.Min.X + keyIndent, Y: c.Max.Y + 1}
		for _, k := range row {
			k.draw(c, rectangle(at.X, at.Y-0.5, at.X+keyWidth, at.Y+smallSize*0.75))
			c.FillText(textStyle(smallSize, ink), at.Add(vg.Point{X: keyWidth + 3}), k.label)
			at.X += k.width() + keyGap
		}
	}
	return c
}

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
