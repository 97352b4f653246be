package draw

import (
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// scripts writes text with raised and lowered parts, which few faces have all glyphs of: λ₁ and φ_2, α_barrier, 10⁻⁴
// and Vᵀ. What follows an underscore is lowered where a single letter stands before it.
type scripts struct{ text.Plain }

var (
	scripted = regexp.MustCompile(`([⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀⁿᵖ]+)|([₀₁₂₃₄₅₆₇₈₉ᵢⱼₖ]+)|(?:^|\PL)\pL(_)([\pL\d]+)`)
	level    = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9", "⁻", "–", "ᵀ", "T", "ⁿ", "n", "ᵖ", "p", "₀", "0", "₁", "1", "₂", "2", "₃", "3", "₄", "4",
		"₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9", "ᵢ", "i", "ⱼ", "j", "ₖ", "k")
)

// piece is a part of a line on one level.
type piece struct {
	words string
	face  font.Face
	rise  vg.Length // of its baseline
}

func (h scripts) pieces(line string, f font.Font) (list []piece) {
	small := f
	small.Size *= 0.72
	add := func(words string, f font.Font, rise vg.Length) {
		if words != "" {
			list = append(list, piece{words, h.Fonts.Lookup(f, f.Size), rise * f.Size})
		}
	}
	from := 0
	for _, at := range scripted.FindAllStringSubmatchIndex(line, -1) {
		switch {
		case at[2] >= 0:
			add(line[from:at[2]], f, 0)
			add(level.Replace(line[at[2]:at[3]]), small, 0.5)
		case at[4] >= 0:
			add(line[from:at[4]], f, 0)
			add(level.Replace(line[at[4]:at[5]]), small, -0.2)
		default:
			add(line[from:at[6]], f, 0)
			add(line[at[8]:at[9]], small, -0.2)
		}
		from = at[1]
	}
	add(line[from:], f, 0)
	return list
}

// Box implements [text.Handler].
func (h scripts) Box(line string, f font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box("", f)
	for _, p := range h.pieces(line, f) {
		width += p.face.Width(p.words)
	}
	return width, height, depth
}

// Draw implements [text.Handler] as [text.Plain] does.
func (h scripts) Draw(c vg.Canvas, words string, style text.Style, at vg.Point) {
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	at.X, at.Y = at.Y*vg.Length(sin)+at.X*vg.Length(cos), at.Y*vg.Length(cos)-at.X*vg.Length(sin)
	lines := h.Lines(words)
	at.Y += style.Height(words)*vg.Length(style.YAlign) - h.Extents(style.Font).Ascent
	for i, line := range lines {
		x := at.X + vg.Length(style.XAlign)*style.Width(line)
		y := at.Y + vg.Length(len(lines)-i)*style.Font.Size
		for _, p := range h.pieces(line, style.Font) {
			c.FillString(p.face, vg.Point{X: x, Y: y + p.rise}, p.words)
			x += p.face.Width(p.words)
		}
	}
}
