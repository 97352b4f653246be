package draw

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"omm-go/ommlx/internal/say"
)

// ticks are gonum's, with whole numbers as 80,000.
func ticks(low, high float64) []plot.Tick {
	list := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range list {
		if t.Label != "" && t.Value == math.Trunc(t.Value) {
			list[i].Label = number(t.Value)
		}
	}
	return list
}

func ticksAt(values ...float64) (list plot.ConstantTicks) {
	for _, x := range values {
		list = append(list, plot.Tick{Value: x, Label: number(x)})
	}
	return list
}

// halves are ticks at 0, in the middle and at the end.
func halves(end float64) plot.ConstantTicks { return ticksAt(0, end/2, end) }

// wholeTicks labels whole numbers, at most nine of them, from low on.
func wholeTicks(low, high float64) (list []plot.Tick) {
	for x := math.Ceil(low); x <= high; x += max(1, math.Ceil((high-low)/8)) {
		list = append(list, ticksAt(x)...)
	}
	return list
}

// logScale is [plot.LogScale] with the mean of the ends in the middle. Package plot reserves space for the name of an
// axis around that number, which on a logarithmic axis lies near the upper end: a long name left a quarter of a plot
// empty.
type logScale struct{ plot.LogScale }

// Normalize returns where x is between low, 0, and high, 1.
func (s logScale) Normalize(low, high, x float64) float64 {
	if x == 0.5*(high+low) {
		return 0.5
	}
	return s.LogScale.Normalize(low, high, x)
}

// logTicks labels powers of ten, at most eight of them, and 2 and 5 times those where the axis has few; the other
// multiples are ticks without a label. An axis has one notation: 0.001 and 20,000, or 10⁻⁵ and 10⁶ where it leaves
// those bounds.
func logTicks(low, high float64) (list []plot.Tick) {
	const edge = 1 + 1e-9
	least, most := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	every := math.Ceil((most - least + 1) / 8)
	short, plain := high/low < 50, low > 0.9e-3 && high < 1.1e5
	for power := least; power <= most; power++ {
		for multiple := 1; multiple <= 9; multiple++ {
			tick := plot.Tick{Value: float64(multiple) * math.Pow(10, power)}
			if tick.Value < low/edge || tick.Value > high*edge {
				continue
			}
			labelled := multiple == 1 && math.Mod(power, every) == 0 || short && (multiple == 2 || multiple == 5)
			switch {
			case labelled && plain:
				tick.Label = number(tick.Value)
			case labelled:
				tick.Label = powerOfTen(multiple, int(power))
			case every > 1: // they would be a smear
				continue
			}
			list = append(list, tick)
		}
	}
	return list
}

// number writes 0.001, 12.5 and 20,000.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return say.Thousands(int(x))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// powerOfTen writes 10⁻⁴, 5·10⁻⁴ and 1.
func powerOfTen(multiple, power int) string {
	switch {
	case power == 0:
		return strconv.Itoa(multiple)
	case multiple > 1:
		return strconv.Itoa(multiple) + "·" + powerOfTen(1, power)
	}
	return "10" + strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(power))
}

// scripts writes text with raised and lowered parts, which few faces have all glyphs of: λ₁ and φ_2, α_barrier, 10⁻⁴
// and Vᵀ. What follows an underscore is lowered where a single letter stands before it. A hyphen at the start of a
// number becomes a minus sign.
type scripts struct{ text.Plain }

var scripted = regexp.MustCompile(`([⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀⁿᵖ]+)|([₀₁₂₃₄₅₆₇₈₉ᵢⱼₖ]+)|(?:^|\PL)\pL(_[\pL\d]+)`)

var signs = regexp.MustCompile(`(^|[\s(\[=≈,/])-(\d)`)

type piece struct {
	words string
	face  font.Face
	rise  vg.Length // of its baseline
}

func (h scripts) pieces(line string, f font.Font) (list []piece) {
	line = signs.ReplaceAllString(line, "$1−$2")
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
