package draw

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// framed is a figure of [TextWidth] with a legend above and a note below what paint draws, which is [pageWidth] wide
// and of the given height. Its PNG has at least leastPixels for a panel of the given width.
func framed(note string, keys []key, height, panel vg.Length, paint func(vgdraw.Canvas)) *Figure {
	small := textStyle(smallSize, grey)
	notes, legend := wrap(note, small, pageWidth), flow(keys, pageWidth-keyIndent)
	foot := vg.Length(len(notes)) * lineHeight
	height += foot + vg.Length(len(legend))*keyHeight + 2*margin
	return &Figure{Width: TextWidth, Height: height, dpi: max(DPI, leastPixels*72/float64(panel)),
		paint: func(c vgdraw.Canvas) {
			c = vgdraw.Crop(c, margin, -margin, margin, -margin)
			at := vg.Point{X: c.Min.X, Y: c.Min.Y + foot + small.FontExtents().Descent}
			for _, line := range notes {
				at.Y -= lineHeight
				c.FillText(small, at, line)
			}
			if notes != nil {
				c.Min.Y += foot + 3
			}
			for _, row := range legend {
				c.Max.Y -= keyHeight
				at := vg.Point{X: c.Min.X + keyIndent, Y: c.Max.Y + 1}
				for _, k := range row {
					k.paint(c, at)
					at.X += k.width() + keyGap
				}
			}
			paint(c)
		}}
}

// topGap is between a legend and the plots below it.
const topGap = vg.Length(4)

// tiled is a figure of plots in rows of so many columns, each row so high, with their data and titles in line.
func tiled(note string, keys []key, columns int, height vg.Length, plots []*plot.Plot) *Figure {
	rows := (len(plots) + columns - 1) / columns
	panel := pageWidth / vg.Length(columns)
	return framed(note, keys, vg.Length(rows)*height, panel, func(c vgdraw.Canvas) { drawTiles(c, columns, plots) })
}

// drawTiles draws plots in rows and returns where the data of the last one stand.
func drawTiles(c vgdraw.Canvas, columns int, plots []*plot.Plot) (last vgdraw.Canvas) {
	c.Max.Y -= topGap
	titles, lines := make([]string, len(plots)), 0
	for i, p := range plots {
		if titles[i] = p.Title.Text; titles[i] != "" {
			lines = max(lines, strings.Count(titles[i], "\n")+1)
		}
	}
	for _, p := range plots { // the room for titles, which stand above the data, not above the tile
		p.Title.Text = strings.TrimSuffix(strings.Repeat(" \n", lines), "\n")
	}
	var table [][]*plot.Plot
	for row := range slices.Chunk(plots, columns) {
		table = append(table, slices.Concat(row, make([]*plot.Plot, columns-len(row))))
	}
	areas := plot.Align(table, vgdraw.Tiles{Rows: len(table), Cols: columns, PadX: 8, PadY: 4}, c)
	for i, p := range plots {
		area := areas[i/columns][i%columns]
		p.Draw(area)
		last = p.DataCanvas(area)
		p.Title.Text = titles[i]
		at := vg.Point{X: last.Center().X, Y: last.Max.Y + p.Title.Padding}
		last.FillText(centred(labelSize, ink), at, titles[i])
	}
	return last
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
		c.StrokeLine2(s.line(), r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
		if s.marked() {
			c.DrawGlyphNoClip(s.glyph(), middle(r))
		}
	}}
}

func glyphKey(label string, g vgdraw.GlyphStyle) key {
	return key{label, func(c vgdraw.Canvas, r vg.Rectangle) { c.DrawGlyphNoClip(g, middle(r)) }}
}

func (k key) width() vg.Length {
	return keyWidth + 3 + textStyle(smallSize, ink).Width(k.label)
}

// paint draws the key with its left baseline at a point.
func (k key) paint(c vgdraw.Canvas, at vg.Point) {
	k.draw(c, rectangle(at.X, at.Y-0.5, at.X+keyWidth, at.Y+smallSize*0.75))
	c.FillText(textStyle(smallSize, ink), at.Add(vg.Point{X: keyWidth + 3}), k.label)
}

func flow(keys []key, width vg.Length) (rows [][]key) {
	used := vg.Length(0)
	for _, k := range keys {
		if rows == nil || used+k.width() > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		used += k.width() + keyGap
	}
	return rows
}

// rectangle is the box with the given left, bottom, right and top edges.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

func outline(c vgdraw.Canvas, r vg.Rectangle, ink color.Color, width vg.Length) {
	c.StrokeLines(vgdraw.LineStyle{Color: ink, Width: width}, append(corners(r), r.Min))
}

func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

// shape is a regular polygon.
type shape struct {
	sides int
	turn  float64   // of its first corner, from the right
	scale vg.Length // of its radius
}

var (
	circle   = shape{24, 0, 1} // which cannot be told from one and renders alike in all three formats
	square   = shape{4, math.Pi / 4, 1.2}
	triangle = shape{3, math.Pi / 2, 1.3}
	wedge    = shape{3, -math.Pi / 2, 1.3} // point down
	diamond  = shape{4, 0, 1.3}
	cross    = shape{} // two strokes
)

// marker is a glyph of this house: filled, or open with a white inside so that no line shows through.
type marker struct {
	shape  shape
	filled bool
}

// DrawGlyph implements [vgdraw.GlyphDrawer].
func (m marker) DrawGlyph(c *vgdraw.Canvas, s vgdraw.GlyphStyle, at vg.Point) {
	if r := s.Radius; m.shape == cross {
		line := vgdraw.LineStyle{Color: s.Color, Width: 0.9}
		c.StrokeLine2(line, at.X-r, at.Y-r, at.X+r, at.Y+r)
		c.StrokeLine2(line, at.X-r, at.Y+r, at.X+r, at.Y-r)
		return
	}
	path := m.shape.path(at, s.Radius)
	c.SetColor(white)
	if m.filled {
		c.SetColor(s.Color)
	}
	c.Fill(path)
	if !m.filled {
		c.SetLineStyle(vgdraw.LineStyle{Color: s.Color, Width: 0.6})
		c.Stroke(path)
	}
}

// path is the closed outline; a tiny circle has half the corners.
func (s shape) path(at vg.Point, radius vg.Length) (p vg.Path) {
	if s == circle && radius < 1 {
		s.sides /= 2
	}
	for i := range s.sides {
		sin, cos := math.Sincos(s.turn + 2*math.Pi*float64(i)/float64(s.sides))
		corner := at.Add(vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(s.scale * radius))
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

// lineStyle is the look of one curve: colour, dash and marker, if it has one.
type lineStyle struct {
	color  color.NRGBA
	dashes []vg.Length
	mark   marker
}

func (s lineStyle) line() vgdraw.LineStyle {
	return vgdraw.LineStyle{Color: s.color, Width: 0.9, Dashes: s.dashes}
}

func (s lineStyle) marked() bool { return s.mark != marker{} }

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
