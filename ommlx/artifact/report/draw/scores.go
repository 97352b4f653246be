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
	Title  string
	Cells  [][]ScoreCell // one row for each of [Scores].Y, one column for each of [Scores].X
	Beside ScoreCell
	Best   *ScorePlace // the pair that is framed; nil for none
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
	height := topGap + lineHeight + 3 + scaleHeight + vg.Length(len(f.Maps))*f.mapHeight()
	return framed(f.Note, keys, height, pageWidth, f.paint), nil
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

func (f Scores) mapHeight() vg.Length {
	return lineHeight + vg.Length(len(f.Y))*scoreHeight + scoreApart
}

func (f Scores) paint(c vgdraw.Canvas) {
	low, high := f.bounds()
	paintScale(c, scaleSteps, scoreColour, number(low), number(high), f.Score)
	left, columns := c.Min.X+scoreGutter, vg.Length(len(f.X))
	width := min(scoreWidth, (c.Max.X-left-scoreApart)/(columns+1))
	c.Max.Y -= topGap + lineHeight
	c.FillText(centred(smallSize, ink), vg.Point{X: left + columns*width/2, Y: c.Max.Y + 1}, f.XLabel)
	c.Max.Y -= lineHeight + 3
	for _, m := range f.Maps {
		f.paintMap(c, m, left, width, func(cell ScoreCell) float64 { return (cell.Score - low) / (high - low) })
		c.Max.Y -= f.mapHeight()
	}
}

// paintMap draws a map whose cells, so wide, begin at the top of c and at left, with the method beside it. share is
// that of a score on the colour scale.
func (f Scores) paintMap(c vgdraw.Canvas, m ScoreMap, left, width vg.Length, share func(ScoreCell) float64) {
	box := func(row, col int) vg.Rectangle {
		x, y := left+vg.Length(col)*width, c.Max.Y-vg.Length(row)*scoreHeight
		return rectangle(x, y-scoreHeight, x+width, y)
	}
	above := func(r vg.Rectangle, label string) {
		c.FillText(centred(smallSize, ink), vg.Point{X: middle(r).X, Y: r.Max.Y + 2.5}, label)
	}
	half := c.Max.Y - vg.Length(len(f.Y))*scoreHeight/2
	c.FillText(textStyle(labelSize, ink), vg.Point{X: c.Min.X, Y: half + 2}, m.Title)
	c.FillText(textStyle(smallSize, grey), vg.Point{X: c.Min.X, Y: half - lineHeight}, f.YLabel)
	for col, label := range f.X {
		above(box(0, col), label)
	}
	right := textStyle(smallSize, ink)
	right.XAlign = text.XRight
	for row, label := range f.Y {
		c.FillText(right, vg.Point{X: left - 4, Y: base(box(row, 0))}, label)
		for col, cell := range m.Cells[row] {
			cell.paint(c, box(row, col), share(cell))
		}
	}
	if m.Best != nil {
		ring(c, box(m.Best.Row, m.Best.Col))
	}
	for i, mark := range f.Marks {
		r := box(mark.Row, mark.Col)
		x := []vg.Length{r.Min.X + 4.5, r.Max.X - 4.5}[i]
		c.DrawGlyphNoClip(scoreMarks[i], vg.Point{X: x, Y: middle(r).Y})
	}
	x := left + vg.Length(len(f.X))*width + scoreApart
	beside := rectangle(x, half-scoreHeight/2, x+width, half+scoreHeight/2)
	m.Beside.paint(c, beside, share(m.Beside))
	above(beside, f.Beside)
}

// base is the height of the line on which text in the middle of a cell stands.
func base(r vg.Rectangle) vg.Length { return middle(r).Y - 0.36*smallSize }

// paint draws a cell with its score, or with what is written in its place.
func (cell ScoreCell) paint(c vgdraw.Canvas, r vg.Rectangle, share float64) {
	fill, letters, words := color.Color(bandInk), grey, cell.Empty
	if cell.Empty == "" {
		fill, letters, words = scoreColour(share), ink, fmt.Sprintf("%.3f", cell.Score)
		if share > 0.6 {
			letters = white
		}
	}
	c.FillPolygon(fill, corners(r))
	outline(c, r, grey, hairline)
	c.FillText(centred(smallSize, letters), vg.Point{X: middle(r).X, Y: base(r)}, words)
}

// ring outlines a cell, in white below so that it shows on dark. The outline begins in the middle of a side, since
// where it begins there is no corner.
func ring(c vgdraw.Canvas, r vg.Rectangle) {
	low, around := vg.Point{X: middle(r).X, Y: r.Min.Y}, corners(r)
	around = slices.Concat([]vg.Point{low}, around[1:], around[:1], []vg.Point{low})
	c.StrokeLines(vgdraw.LineStyle{Color: white, Width: 3}, around)
	c.StrokeLines(vgdraw.LineStyle{Color: vermillion, Width: 1.6}, around)
}
