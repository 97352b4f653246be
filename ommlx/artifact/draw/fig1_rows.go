package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Looks of the methods. Colour and shape say the same thing twice; what goes beyond the paper stands on a ground of its
// own and has a dashed interval.
var (
	paperStyles = []lineStyle{
		{blue, nil, marker{circle, true}},
		{skyBlue, nil, marker{square, true}},
		{ink, nil, marker{triangle, true}},
		{purple, nil, marker{diamond, true}},
	}
	beyondStyles = []lineStyle{
		{vermillion, []vg.Length{2, 1}, marker{diamond, true}},
		{green, []vg.Length{2, 1}, marker{wedge, true}},
	}
	beyondGround = color.NRGBA{R: 0xEA, G: 0xEA, B: 0xEA, A: 0xFF}
)

// Radii of the marks. An open mark is larger than a filled one: a ring around it where the two coincide.
const (
	meanRadius      = vg.Length(1.9)
	referenceRadius = vg.Length(2.9)
	runRadius       = vg.Length(0.9)
	runAside        = vg.Length(2.1) // of runs from the middle of the row, above and below in turn
)

// faint is the colour of single runs.
func faint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x78}
}

// meanAndInterval returns the ends of the interval of ±1 sample standard deviation too. With one run they are the mean.
func (r Fig1Row) meanAndInterval() (mean, low, high float64) {
	mean, std, err := meanStd(r.Runs)
	if err != nil {
		panic(err) // Fig1.Figure has checked the runs
	}
	if len(r.Runs) == 1 {
		return mean, mean, mean
	}
	return mean, mean - std, mean + std
}

// ends are the lowest and the highest number that the row draws; the lowest is above the highest where it draws none.
func (r Fig1Row) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	if len(r.Runs) > 0 {
		_, from, to := r.meanAndInterval()
		low, high = min(from, slices.Min(r.Runs)), max(to, slices.Max(r.Runs))
	}
	if r.Reference != nil {
		low, high = min(low, *r.Reference), max(high, *r.Reference)
	}
	return low, high
}

// words are what the row says, the longest first; none where every run has its mark.
func (r Fig1Row) words() []string {
	switch {
	case r.NotRun:
		return []string{"not run"}
	case r.Diverged > 0:
		return []string{fmt.Sprintf("diverged %d of %d", r.Diverged, r.tried()), fmt.Sprintf("%d diverged", r.Diverged)}
	}
	return nil
}

// place is the left end of the row's words beside its marks, at the left end of the panel if there is room, else at the
// right one. The words are "" where there are none, or where there is no room.
func (l fig1Layout) place(panel int, r Fig1Row) (words string, left vg.Length) {
	const apart = 2.5
	low, high := r.ends()
	from, to := l.columns[panel].from+apart, l.columns[panel].to-apart
	before, behind := l.x(panel, low)-referenceRadius-apart, l.x(panel, high)+referenceRadius+apart
	for _, words := range r.words() {
		width := textStyle(smallSize, grey).Width(words)
		switch {
		case from+width <= before || low > high:
			return words, from
		case to-width >= behind:
			return words, to - width
		}
	}
	return "", 0
}

// missing are the words that have no room in their rows.
func (l fig1Layout) missing() (all []string) {
	for _, e := range l.Environments {
		for panel, rows := range e.Rows {
			for _, r := range rows {
				if words, _ := l.place(panel, r); words == "" && r.words() != nil {
					all = append(all, fmt.Sprintf("%s on %s, %s, %s", r.Method, e.Name, l.Panels[panel], r.words()[0]))
				}
			}
		}
	}
	return all
}

// paintRow draws the row of method j on environment i.
func (l fig1Layout) paintRow(c vgdraw.Canvas, panel, i, j int) {
	r, s, y := l.Environments[i].Rows[panel][j], l.styles[j], l.y(i, j)
	if r.Reference != nil {
		c.DrawGlyphNoClip(s.open(), vg.Point{X: l.x(panel, *r.Reference), Y: y})
	}
	if len(r.Runs) > 0 {
		mean, low, high := r.meanAndInterval()
		if len(r.Runs) > 1 {
			s.interval(c, l.columns[panel], l.x(panel, low), l.x(panel, high), y)
			for k, run := range r.Runs {
				side := vg.Length(1-2*(k%2)) * runAside
				c.DrawGlyphNoClip(s.run(), vg.Point{X: l.x(panel, run), Y: y + side})
			}
		}
		c.DrawGlyphNoClip(s.mean(), vg.Point{X: l.x(panel, mean), Y: y})
	}
	if words, left := l.place(panel, r); words != "" {
		style, ground := textStyle(smallSize, grey), color.Color(white)
		if r.Beyond {
			ground = beyondGround
		}
		box := rectangle(left-1, y-rowHeight/2+0.5, left+style.Width(words)+1, y+rowHeight/2-0.5)
		c.FillPolygon(ground, corners(box)) // no grid line runs through the words
		c.FillText(style, vg.Point{X: left, Y: y - 0.34*smallSize}, words)
	}
}

// interval draws a line from low to high in a panel from left to right. An end beyond the panel is cut off and has no
// cap, and neither has one behind the mark of the mean, which a cap would make another shape.
func (s lineStyle) interval(c vgdraw.Canvas, panel column, low, high, y vg.Length) {
	const half = 1.6
	cut := func(x vg.Length) vg.Length { return min(max(x, panel.from+0.5), panel.to-0.5) }
	c.StrokeLine2(s.line(), cut(low), y, cut(high), y)
	s.dashes = nil
	for _, end := range []vg.Length{low, high} {
		if end == cut(end) && high-low > 2*meanRadius+1 {
			c.StrokeLine2(s.line(), end, y-half, end, y+half)
		}
	}
}

func (s lineStyle) mean() vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: s.color, Radius: meanRadius, Shape: s.mark}
}

func (s lineStyle) open() vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: s.color, Radius: referenceRadius, Shape: marker{s.mark.shape, false}}
}

func (s lineStyle) run() vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: faint(s.color), Radius: runRadius, Shape: marker{circle, true}}
}

// methodKeys name the methods.
func (l fig1Layout) methodKeys() (keys []key) {
	for j, r := range l.Environments[0].longest() {
		s, label := l.styles[j], r.Method
		if r.Beyond {
			label = "beyond the paper: " + label
		}
		keys = append(keys, key{label, func(c vgdraw.Canvas, box vg.Rectangle) {
			if r.Beyond {
				c.FillPolygon(beyondGround, corners(box))
			}
			c.DrawGlyphNoClip(s.mean(), middle(box))
		}})
	}
	return keys
}

// markKeys explain the marks that occur.
func (l fig1Layout) markKeys() (keys []key) {
	s := lineStyle{grey, nil, marker{circle, true}}
	if slices.ContainsFunc(l.rows(), func(r Fig1Row) bool { return len(r.Runs) > 1 }) {
		keys = append(keys, glyphKey("one run", s.run()))
		keys = append(keys, key{"filled: mean ± 1 std. dev.", func(c vgdraw.Canvas, box vg.Rectangle) {
			at := middle(box)
			s.interval(c, column{box.Min.X, box.Max.X}, box.Min.X+1, box.Max.X-1, at.Y)
			c.DrawGlyphNoClip(s.mean(), at)
		}})
	}
	if slices.ContainsFunc(l.rows(), func(r Fig1Row) bool { return r.Reference != nil }) {
		keys = append(keys, glyphKey("open: mean of the public code's own runs", s.open()))
	}
	return keys
}

func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}
