package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Scores draws what a method scored with every pair of two of its numbers, one map below the other: the darker a cell,
// the higher its score, on one scale for all maps. Beside each map stands the score of a method without such numbers.
type Scores struct {
	Note           string
	XLabel, YLabel string
	X, Y           []string    // the numbers that were tried: columns from left to right, rows downwards
	Score          string      // what a score is, under the colour scale
	Beside         string      // the method beside the maps
	Best           string      // the legend of the frame around the best pair of a map
	Marks          []ScoreMark // at most two
	Maps           []ScoreMap
}

// ScoreMark is a pair that is marked in all maps.
type ScoreMark struct {
	Label    string
	Row, Col int
}

// ScoreMap is one table of scores.
type ScoreMap struct {
	Title     string
	Generated bool          // the maze is ours, not the official layout; the figure says so
	Cells     [][]ScoreCell // one row for each of [Scores].Y, one column for each of [Scores].X
	Beside    ScoreCell
	Best      *ScorePlace // the pair that is framed; nil for none
}

// ScorePlace is the place of a pair in a map.
type ScorePlace struct{ Row, Col int }

// ScoreCell is a score, or what is written where there is none.
type ScoreCell struct {
	Score float64
	Empty string // as "not run"; "" with a score
}

const (
	scoreGutter = vg.Length(72) // left of the cells: title of the map and labels of the rows
	scoreHeight = vg.Length(15) // of a cell
	scoreWidth  = vg.Length(44) // of a cell, at the most
	scoreApart  = vg.Length(10) // between two maps, and between a map and the method beside it
)

// scoreMarks are the looks of the marks: open, so that they show on light and on dark, and at either side of a number,
// so that two of them fit into one cell.
var scoreMarks = []vgdraw.GlyphStyle{
	{Color: ink, Radius: 2.3, Shape: marker{circle, false}},
	{Color: ink, Radius: 2, Shape: marker{square, false}},
}

// Figure lays the maps out: 5.5 in wide.
func (f Scores) Figure() (*Figure, error) {
	var keys []key
	for i, m := range f.Marks {
		keys = append(keys, glyphKey(m.Label, scoreMarks[i]))
	}
	keys = append(keys, key{f.Best, func(c vgdraw.Canvas, r vg.Rectangle) {
		ring(c, rectangle(r.Min.X+1, r.Min.Y, r.Max.X-1, r.Max.Y))
	}})
	height := 4 + 2*lineHeight + 3 + scaleHeight + vg.Length(len(f.Maps))*f.mapHeight()
	note := f.Note
	if slices.ContainsFunc(f.Maps, func(m ScoreMap) bool { return m.Generated }) {
		note += "\n" + oursNote
	}
	return framed(note, keys, height, pageWidth, f.paint), nil
}

// bounds are the ends of the colour scale: the lowest and the highest of all scores, rounded outwards to a twentieth.
func (f Scores) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, m := range f.Maps {
		for _, c := range append(slices.Concat(m.Cells...), m.Beside) {
			if c.Empty == "" {
				low, high = min(low, c.Score), max(high, c.Score)
			}
		}
	}
	if low > high {
		return 0, 1 // no score at all
	}
	const steps = 20
	if low, high = math.Floor(low*steps)/steps, math.Ceil(high*steps)/steps; low == high {
		high += 1. / steps
	}
	return low, high
}

// mapHeight is the height of one map with the labels of its columns.
func (f Scores) mapHeight() vg.Length {
	return lineHeight + vg.Length(len(f.Y))*scoreHeight + scoreApart
}

func (f Scores) paint(c vgdraw.Canvas) {
	low, high := f.bounds()
	c.FillText(centred(smallSize, ink), vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Min.Y + 1}, f.Score)
	c.Min.Y += lineHeight
	paintScale(c, scaleSteps, scoreColour, number(low), number(high))
	s := scorePainter{Canvas: c, of: f, low: low, high: high,
		left: c.Min.X + scoreGutter, top: c.Max.Y - 2*lineHeight - 3}
	s.width = min(scoreWidth, (c.Max.X-s.left-scoreApart)/vg.Length(len(f.X)+1))
	middle := s.left + vg.Length(len(f.X))*s.width/2
	c.FillText(centred(smallSize, ink), vg.Point{X: middle, Y: c.Max.Y - lineHeight + 1}, f.XLabel)
	for _, m := range f.Maps {
		s.paint(m)
		s.top -= f.mapHeight()
	}
}

// scorePainter paints one map after the other.
type scorePainter struct {
	vgdraw.Canvas
	of               Scores
	low, high        float64   // ends of the colour scale
	left, top, width vg.Length // of the cells of the map that is painted; the width is of one of them
}

// paint draws a map, with the method beside it.
func (s scorePainter) paint(m ScoreMap) {
	middle := s.top - vg.Length(len(s.of.Y))*scoreHeight/2
	s.FillText(textStyle(labelSize, ink), vg.Point{X: s.Min.X, Y: middle + 2}, starred(m.Title, m.Generated))
	s.FillText(textStyle(smallSize, grey), vg.Point{X: s.Min.X, Y: middle - lineHeight}, s.of.YLabel)
	for col, label := range s.of.X {
		s.above(s.box(0, col), label)
	}
	right := textStyle(smallSize, ink)
	right.XAlign = text.XRight
	for row, label := range s.of.Y {
		s.FillText(right, vg.Point{X: s.left - 4, Y: base(s.box(row, 0))}, label)
		for col, cell := range m.Cells[row] {
			s.cell(s.box(row, col), cell)
		}
	}
	if m.Best != nil {
		ring(s.Canvas, s.box(m.Best.Row, m.Best.Col))
	}
	for i, mark := range s.of.Marks {
		r := s.box(mark.Row, mark.Col)
		x := []vg.Length{r.Min.X + 4.5, r.Max.X - 4.5}[i]
		s.DrawGlyphNoClip(scoreMarks[i], vg.Point{X: x, Y: (r.Min.Y + r.Max.Y) / 2})
	}
	x := s.left + vg.Length(len(s.of.X))*s.width + scoreApart
	beside := rectangle(x, middle-scoreHeight/2, x+s.width, middle+scoreHeight/2)
	s.cell(beside, m.Beside)
	s.above(beside, s.of.Beside)
}

func (s scorePainter) above(r vg.Rectangle, label string) {
	s.FillText(centred(smallSize, ink), vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Max.Y + 2.5}, label)
}

func (s scorePainter) box(row, col int) vg.Rectangle {
	x, y := s.left+vg.Length(col)*s.width, s.top-vg.Length(row)*scoreHeight
	return rectangle(x, y-scoreHeight, x+s.width, y)
}

// base is the height of the line on which text in the middle of a cell stands.
func base(r vg.Rectangle) vg.Length { return (r.Min.Y+r.Max.Y)/2 - 0.36*smallSize }

// cell draws a cell with its score, or with what is written in its place.
func (s scorePainter) cell(r vg.Rectangle, cell ScoreCell) {
	fill, letters, words := color.Color(bandInk), grey, cell.Empty
	if cell.Empty == "" {
		share := (cell.Score - s.low) / (s.high - s.low)
		fill, letters, words = scoreColour(share), ink, fmt.Sprintf("%.3f", cell.Score)
		if share > 0.6 {
			letters = white
		}
	}
	s.FillPolygon(fill, corners(r))
	s.StrokeLines(vgdraw.LineStyle{Color: grey, Width: hairline}, append(corners(r), r.Min))
	s.FillText(centred(smallSize, letters), vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: base(r)}, words)
}

// ring outlines a cell, in white below so that it shows on dark. The outline begins in the middle of a side, since
// where it begins there is no corner.
func ring(c vgdraw.Canvas, r vg.Rectangle) {
	around := corners(r)
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Min.Y}
	around = append([]vg.Point{middle}, append(around[1:], around[0], middle)...)
	c.StrokeLines(vgdraw.LineStyle{Color: white, Width: 3}, around)
	c.StrokeLines(vgdraw.LineStyle{Color: vermillion, Width: 1.6}, around)
}
