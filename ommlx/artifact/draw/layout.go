package draw

import (
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
