package draw

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// handler writes negative numbers with minus signs, and the digits of indices and exponents smaller, below or above the
// line. The letters of Unicode for them are missing in PDF files.
type handler struct{ text.Plain }

var hyphen = regexp.MustCompile(`(^|[ (,])-(\d)`)

// Box implements [text.Handler].
func (h handler) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box(txt, fnt)
	for _, r := range pieces(hyphen.ReplaceAllString(txt, "$1−$2"), fnt) {
		width += r.Width(r.text)
	}
	return width, height, depth
}

// Draw implements [text.Handler].
func (h handler) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	h.Plain.Draw(shifting{c, h, vg.Length(sty.XAlign)}, hyphen.ReplaceAllString(txt, "$1−$2"), sty, pt)
}

// piece is a part of a line with letters on one height.
type piece struct {
	font.Face
	text string
	rise vg.Length // above the line, in sizes of the font
}

const (
	above, below = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "₋₀₁₂₃₄₅₆₇₈₉"
	plain        = "−0123456789"
)

// pieces splits a line into letters on the line, exponents and indices.
func pieces(line string, fnt font.Font) (list []piece) {
	for _, letter := range line {
		one, size := piece{text: string(letter)}, fnt.Size
		for letters, rise := range map[string]vg.Length{above: 0.36, below: -0.16} {
			if place := strings.IndexRune(letters, letter); place >= 0 {
				n := len([]rune(letters[:place]))
				one.text, one.rise, size = string([]rune(plain)[n]), rise, 0.72*fnt.Size
			}
		}
		if last := len(list) - 1; last >= 0 && list[last].rise == one.rise {
			list[last].text += one.text
		} else {
			one.Face = font.DefaultCache.Lookup(fnt, size)
			list = append(list, one)
		}
	}
	return list
}

// shifting draws the pieces of each line one after another. Its lines are aligned by their true widths.
type shifting struct {
	vg.Canvas
	handler
	align vg.Length
}

// FillString implements [vg.Canvas].
func (c shifting) FillString(f font.Face, at vg.Point, line string) {
	width, _, _ := c.Box(line, f.Font)
	at.X += c.align * (width - f.Width(line))
	for _, r := range pieces(line, f.Font) {
		c.Canvas.FillString(r.Face, at.Add(vg.Point{Y: r.rise * f.Font.Size}), r.text)
		at.X += r.Width(r.text)
	}
}

// times writes digits times a power of ten, such as 2·10⁻⁴, or 10⁻⁴ for the digit 1.
func times(digits string, power int) string {
	exponent := strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
		"7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(power))
	if digits == "1" {
		return "10" + exponent
	}
	return digits + "·10" + exponent
}

// limit writes the ends of the scale of a map with two digits, such as ±0.060.
func limit(m []float64) string {
	x := floats.Norm(m, math.Inf(1))
	if x >= 0.001 && x < 99.5 {
		return "±" + strings.TrimSuffix(fmt.Sprintf("%#.2g", x), ".")
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	return "±" + number(rounded)
}

var bracket = regexp.MustCompile(`[\[(][^\[\]()]{1,12}[\])]`)

// wrap breaks the lines of a text at spaces so that none is wider than width. Short brackets, as intervals, stay whole.
func wrap(s string, style text.Style, width vg.Length) string {
	var lines []string
	s = bracket.ReplaceAllStringFunc(s, func(b string) string { return strings.ReplaceAll(b, " ", "\u00a0") })
	for _, line := range strings.Split(s, "\n") {
		now := ""
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' }) {
			longer := strings.TrimLeft(now+" "+word, " ")
			if now != "" && style.Width(longer) > width {
				lines, longer = append(lines, now), word
			}
			now = longer
		}
		lines = append(lines, now)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\u00a0", " ")
}
