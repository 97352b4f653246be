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

// Scores draws a method's score, from 0 to 1, for every pair of two settings, one map below the other. Darker cells have
// higher scores. An extra column has the score of another method without these settings.
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

// scoreMarks are white with a dark outline, visible on every colour.
var scoreMarks = [][]vgdraw.GlyphStyle{
	{{Color: white, Radius: 2.3, Shape: vgdraw.CircleGlyph{}}, {Color: ink, Radius: 2.3, Shape: vgdraw.RingGlyph{}}},
	{{Color: white, Radius: 2.3, Shape: vgdraw.BoxGlyph{}}, {Color: ink, Radius: 2.3, Shape: vgdraw.SquareGlyph{}}},
}

// Figure lays out the maps, 5.5 in wide.
func (f Scores) Figure() (*Figure, error) {
	colours := steps(64, 0, 1, sequential)
	var plots []*plot.Plot
	for i, m := range f.Maps {
		p := f.plot(m, colours)
		if i == len(f.Maps)-1 {
			p.X.Label.Text = f.XLabel
		}
		plots = append(plots, p)
	}
	var names legend
	for i, mark := range f.Marks {
		names.add(mark.Label, scatter(scoreMarks[i][0]), scatter(scoreMarks[i][1]))
	}
	names.add(f.Best, frame(0, 0, 1, 1, vermillion, 1.8))
	height := vg.Length(len(plots)*(15*len(f.Y)+30)) + labelSize + 12 + barHeight
	return framed(f.Note, names, height, func(c vgdraw.Canvas) {
		drawBar(c, colours, "0", "1", f.Score)
		tile(vgdraw.Crop(c, 0, 0, barHeight+6, 0), 1, plots, false)
	}), nil
}

// plot draws a map, with the other method in a separate column on the right.
func (f Scores) plot(m ScoreMap, colours scale) *plot.Plot {
	p := newPlot(m.Title, "", f.YLabel)
	p.X.LineStyle.Width, p.X.Tick.Length, p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0, 0
	other := len(f.X) + 1 // after an empty column
	values := make([][]float64, len(f.Y))
	numbers := &plotter.Labels{}
	add := func(c ScoreCell, x, y float64) (value float64) {
		style, content := aligned(smallSize, ink, text.XCenter, middle), c.Empty
		if value = math.NaN(); c.Empty == "" {
			value, content = c.Score, fmt.Sprintf("%.3f", c.Score)
		}
		if value > 0.55 {
			style.Color = white
		}
		numbers.XYs = append(numbers.XYs, plotter.XY{X: x + 0.5, Y: y + 0.5})
		numbers.Labels, numbers.TextStyle = append(numbers.Labels, content), append(numbers.TextStyle, style)
		return value
	}
	of := add(m.Other, float64(other), float64(len(f.Y)-1)/2)
	var columns, rows plot.ConstantTicks
	for row, cells := range m.Cells {
		y := float64(len(f.Y) - 1 - row)
		rows = append(rows, plot.Tick{Value: y + 0.5, Label: f.Y[row]})
		for col, cell := range cells {
			values[row] = append(values[row], add(cell, float64(col), y))
		}
		values[row] = append(values[row], math.NaN(), of)
	}
	for col, label := range append(slices.Clone(f.X), "", f.Other) {
		columns = append(columns, plot.Tick{Value: float64(col) + 0.5, Label: label})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = columns, rows
	p.Add(newHeat(cells(values), colours, 0, 1, white), numbers)
	if m.Best != nil {
		x, y := float64(m.Best.Col), float64(len(f.Y)-1-m.Best.Row)
		p.Add(frame(x, y, x+1, y+1, vermillion, 1.8))
	}
	for i, mark := range f.Marks {
		at := plotter.XY{X: float64(mark.Col) + []float64{0.1, 0.9}[i], Y: float64(len(f.Y)-mark.Row) - 0.5}
		p.Add(scatter(scoreMarks[i][0], at), scatter(scoreMarks[i][1], at))
	}
	return p
}
