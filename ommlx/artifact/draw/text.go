package draw

import (
	"math"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// scripts writes text with raised and lowered parts, which few faces have all glyphs of: λ₁ and φ_2, α_barrier, 10⁻⁴
// and Vᵀ. What follows an underscore is lowered where a single letter stands before it.
type scripts struct{ text.Plain }

var scripted = regexp.MustCompile(`([⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀⁿᵖ]+)|([₀₁₂₃₄₅₆₇₈₉ᵢⱼₖ]+)|(?:^|\PL)\pL(_[\pL\d]+)`)

// piece is a part of a line on one level.
type piece struct {
	words string
	face  font.Face
	rise  vg.Length // of its baseline
}

func (h scripts) pieces(line string, f font.Font) (list []piece) {
	small, from := f, 0
	small.Size *= 0.72
	add := func(words string, f font.Font, rise vg.Length) {
		if words != "" {
			list = append(list, piece{words, h.Fonts.Lookup(f, f.Size), rise * f.Size})
		}
	}
	for _, at := range scripted.FindAllStringSubmatchIndex(line, -1) {
		for group, rise := range []vg.Length{0.5, -0.2, -0.2} {
			start, end := at[2*group+2], at[2*group+3]
			if start >= 0 {
				add(line[from:start], f, 0)
				words := strings.TrimPrefix(norm.NFKC.String(line[start:end]), "_")
				add(strings.ReplaceAll(words, "−", "–"), small, rise) // a shorter minus
				from = end
			}
		}
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
