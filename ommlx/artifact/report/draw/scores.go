package draw

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Scores draws a method's score for every pair of two settings, one map below the other. Darker cells have higher
// scores, on one scale for all maps. An extra column has the score of another method without these settings.
type Scores struct {
	Note           string
	XLabel, YLabel string
	X, Y           []string    // the settings: columns to the right, rows downwards
	Score          string      // name of the score, under the colour bar
	Other          string      // name of the method without settings
	Best           string      // legend of the frame around the best pair of a map
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
	Title string
	Cells [][]ScoreCell // one row for each of [Scores].Y, one column for each of [Scores].X
	Other ScoreCell
	Best  *ScorePlace // the framed pair; nil for none
}

// ScorePlace is the place of a pair in a map.
type ScorePlace struct{ Row, Col int }

// ScoreCell is a score, or the reason for its absence.
type ScoreCell struct {
	Score float64
	Empty string // such as "not run"; "" with a score
}

const scoreHeight = vg.Length(15) // height of a cell

// scoreMarks are white with a dark outline, visible on every colour, on either side of a number.
var scoreMarks = [][]vgdraw.GlyphStyle{
	{{Color: white, Radius: 2.3, Shape: vgdraw.CircleGlyph{}}, {Color: ink, Radius: 2.3, Shape: vgdraw.RingGlyph{}}},
	{{Color: white, Radius: 2.3, Shape: vgdraw.BoxGlyph{}}, {Color: ink, Radius: 2.3, Shape: vgdraw.SquareGlyph{}}},
}

// Figure lays out the maps, 5.5 in wide.
func (f Scores) Figure() (*Figure, error) {
	low, high := f.bounds()
	var plots []*plot.Plot
	for i, m := range f.Maps {
		p := f.plot(m, func(score float64) float64 { return (score - low) / (high - low) })
		if i == len(f.Maps)-1 {
			p.X.Label.Text = f.XLabel
		}
		plots = append(plots, p)
	}
	var names legend
	for i, mark := range f.Marks {
		names.add(mark.Label, scatter(scoreMarks[i][0]), scatter(scoreMarks[i][1]))
	}
	names.add(f.Best, frame(box(0, 0, 1, 1)))
	row := vg.Length(len(f.Y))*scoreHeight + 30
	height := vg.Length(len(plots))*row + labelSize + 12 + barHeight
	return framed(f.Note, names, height, func(c vgdraw.Canvas) {
		drawBar(c, steps(64, 0, 1, sequential), number(low), number(high), f.Score)
		tile(vgdraw.Crop(c, 0, 0, barHeight+6, 0), 1, plots)
	}), nil
}

// bounds returns the ends of the colour bar: the lowest and highest score, rounded outwards to a multiple of 0.05.
func (f Scores) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, m := range f.Maps {
		for _, c := range append(slices.Concat(m.Cells...), m.Other) {
			if c.Empty == "" {
				low, high = min(low, math.Floor(c.Score*20)/20), max(high, math.Ceil(c.Score*20)/20)
			}
		}
	}
	if low >= high { // no scores, or all equal to such a multiple
		return 0, 1
	}
	return low, high
}

func frame(at plotter.XYs) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{at}, LineStyle: vgdraw.LineStyle{Color: vermillion, Width: 1.8}}
}

// plot draws a map with the other method on its right. A cell is one unit wide and high; share maps a score to its
// place on the colour bar.
func (f Scores) plot(m ScoreMap, share func(score float64) float64) *plot.Plot {
	p := newPlot(m.Title, "", f.YLabel)
	p.X.LineStyle.Width, p.X.Tick.Length, p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0, 0
	var columns, rows plot.ConstantTicks
	for col, label := range f.X {
		columns = append(columns, plot.Tick{Value: float64(col), Label: label})
	}
	other := float64(len(f.X)) + 0.25 // with a gap
	columns = append(columns, plot.Tick{Value: other, Label: f.Other})
	m.Other.addTo(p, other, -float64(len(f.Y)-1)/2, share)
	for row, label := range f.Y {
		rows = append(rows, plot.Tick{Value: -float64(row), Label: label})
		for col, cell := range m.Cells[row] {
			cell.addTo(p, float64(col), -float64(row), share)
		}
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = columns, rows
	if m.Best != nil {
		x, y := float64(m.Best.Col), -float64(m.Best.Row)
		p.Add(frame(box(x-0.5, y-0.5, x+0.5, y+0.5)))
	}
	for i, mark := range f.Marks {
		at := plotter.XY{X: float64(mark.Col) + []float64{-0.4, 0.4}[i], Y: -float64(mark.Row)}
		p.Add(scatter(scoreMarks[i][0], at), scatter(scoreMarks[i][1], at))
	}
	return p
}

func (c ScoreCell) addTo(p *plot.Plot, x, y float64, share func(float64) float64) {
	cell := &plotter.Polygon{XYs: []plotter.XYs{box(x-0.5, y-0.5, x+0.5, y+0.5)}, Color: shade,
		LineStyle: vgdraw.LineStyle{Color: grey, Width: hairline}}
	letters, content := grey, c.Empty
	if c.Empty == "" {
		cell.Color, letters, content = sequential(share(c.Score)), ink, fmt.Sprintf("%.3f", c.Score)
		if share(c.Score) > 0.6 {
			letters = white
		}
	}
	p.Add(cell, words(aligned(smallSize, letters, text.XCenter, middle), x, y, content))
}
