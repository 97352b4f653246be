package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// framed is a figure with a legend above and a note below what paint draws, whose panels have the given width.
func framed(note string, keys []key, height, panel vg.Length, paint func(vgdraw.Canvas)) *Figure {
	notes := wrap(note, textStyle(smallSize, grey), pageWidth)
	legend := flow(keys, pageWidth-keyIndent)
	height += vg.Length(len(notes))*lineHeight + vg.Length(len(legend))*keyHeight
	return page(height, panel, func(c vgdraw.Canvas) {
		c = paintKeys(footer(c, notes), keys)
		c.Max.Y -= 4
		paint(c)
	})
}

// tiled is a figure of plots in rows of so many columns, each row so high, with their data and titles in line.
func tiled(note string, keys []key, columns int, height vg.Length, plots []*plot.Plot) *Figure {
	rows := (len(plots) + columns - 1) / columns
	panel := pageWidth / vg.Length(columns)
	return framed(note, keys, vg.Length(rows)*height, panel, func(c vgdraw.Canvas) { drawTiles(c, columns, plots) })
}

// drawTiles draws plots in rows and returns where the data of the last one stand.
func drawTiles(c vgdraw.Canvas, columns int, plots []*plot.Plot) (last vgdraw.Canvas) {
	rows := (len(plots) + columns - 1) / columns
	table, titles := make([][]*plot.Plot, rows), make([]string, len(plots))
	lines := 0
	for i, p := range plots {
		if titles[i] = p.Title.Text; titles[i] != "" {
			lines = max(lines, strings.Count(titles[i], "\n")+1)
		}
	}
	for i, p := range plots { // the room for titles, which stand above the data, not above the tile
		p.Title.Text = strings.TrimSuffix(strings.Repeat(" \n", lines), "\n")
		if table[i/columns] == nil {
			table[i/columns] = make([]*plot.Plot, columns)
		}
		table[i/columns][i%columns] = p
	}
	tiles := vgdraw.Tiles{Rows: rows, Cols: columns, PadX: 8, PadY: 4}
	for i, row := range plot.Align(table, tiles, c) {
		for j, area := range row {
			if p := table[i][j]; p != nil {
				p.Draw(area)
				last = p.DataCanvas(area)
				p.Title.Text = titles[i*columns+j]
				at := vg.Point{X: (last.Min.X + last.Max.X) / 2, Y: last.Max.Y + p.Title.Padding}
				last.FillText(centred(labelSize, ink), at, p.Title.Text)
			}
		}
	}
	return last
}

// besideLines is a row of plots with the legend at the right, each key where its line ends in the last plot.
func besideLines(note string, keys []key, ends []float64, height vg.Length, plots []*plot.Plot) *Figure {
	width := vg.Length(0)
	for _, k := range keys {
		width = max(width, k.width()+5)
	}
	if width > pageWidth/4 {
		return tiled(note, keys, len(plots), height, plots)
	}
	panel := pageWidth / vg.Length(len(plots))
	return framed(note, nil, height, panel, func(c vgdraw.Canvas) {
		c.Max.X -= width
		data := drawTiles(c, len(plots), plots)
		axis := plots[len(plots)-1].Y
		order := make([]int, len(keys))
		at := make([]vg.Length, len(keys))
		for i, end := range ends {
			order[i], at[i] = i, data.Y(min(1, max(0, axis.Norm(min(axis.Max, max(axis.Min, end))))))
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
		for n, i := range order { // upwards, none on another
			if n > 0 {
				at[i] = max(at[i], at[order[n-1]]+lineHeight)
			}
			keys[i].paint(data, vg.Point{X: data.Max.X + 5, Y: at[i] - 0.36*smallSize})
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

// paint draws the key with its left baseline at a point.
func (k key) paint(c vgdraw.Canvas, at vg.Point) {
	k.draw(c, rectangle(at.X, at.Y-0.5, at.X+keyWidth, at.Y+smallSize*0.75))
	c.FillText(textStyle(smallSize, ink), at.Add(vg.Point{X: keyWidth + 3}), k.label)
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
			k.paint(c, at)
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
