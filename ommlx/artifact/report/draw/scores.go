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

// Scores draws a method's score, from 0 to 1, for every pair of two settings, one map below the other. Darker cells
// have higher scores. An extra column has the score of another method without these settings.
type Scores struct {
	Note           string
	XLabel, YLabel string
	X, Y           []string // the settings: columns to the right, rows downwards
	Score          string   // name of the score, under the colour bar
	Other          string   // name of the method without settings
	Maps           []ScoreMap
}

// ScoreMap is one table of scores.
type ScoreMap struct {
	Title string
	Cells [][]ScoreCell // one row for each of [Scores].Y, one column for each of [Scores].X
	Other ScoreCell
	Marks []ScoreMark // at most three
}

// ScoreMark is the frame of a pair, with its legend.
type ScoreMark struct {
	Label    string
	Row, Col int
}

// ScoreCell is a score, or the reason for its absence.
type ScoreCell struct {
	Score float64
	Empty string // such as "not run"; "" with a score
}

var markLooks = []look{{color: vermillion}, {color: orange}, {color: skyBlue}}

// Figure lays out the maps, 5.5 in wide.
func (f Scores) Figure() (*Figure, error) {
	colours := steps(64, 0, 1, sequential)
	var names legend
	var plots []*plot.Plot
	known := kinds{}
	for i, m := range f.Maps {
		p := f.plot(m, colours)
		for j, mark := range m.Marks {
			l, isNew := known.look(mark.Label, markLooks)
			x, y := float64(mark.Col)+0.04*float64(j), float64(len(f.Y)-1-mark.Row)+0.11*float64(j)
			around := frame(x, y, x+1-0.08*float64(j), y+1-0.22*float64(j), l.color, 1.5)
			if p.Add(around); isNew {
				names.add(mark.Label, around)
			}
		}
		if i == len(f.Maps)-1 {
			p.X.Label.Text = f.XLabel
		}
		plots = append(plots, p)
	}
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
	return p
}
