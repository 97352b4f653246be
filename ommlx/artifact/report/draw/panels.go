package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Panels draws functions on a square, such as learned and true eigenfunctions, with the colours of [HeatMaps]. Each
// function is divided by its root mean square (RMS). The panels of a column share a scale, which ends at ± their
// largest |value|.
type Panels struct {
	Note string   // printed under the panels; may be empty
	Head []string // titles of the columns; may be nil
	Rows []PanelRow
}

// PanelRow is a row of functions with a label: at the left if the labels of all rows are short, otherwise above. Rows
// with more than eight functions are split into blocks.
type PanelRow struct {
	Label  string
	Titles []string // below each panel; nil for none
	// Maps are the functions, each on n×n points of a square with the second coordinate fastest. The first coordinate
	// is drawn to the right, the second upwards. A nil map leaves its place empty, and a row whose first map is nil has
	// no label.
	Maps [][]float64
}

const (
	// PanelColours is the number of colours from − to + the largest |value|; the one in the middle is white.
	PanelColours = 13

	panelColumns = 8
	panelPixels  = 112           // along a side
	panelLabel   = vg.Length(38) // width of the labels at the left
)

// Figure lays out the rows, 5.5 in wide.
func (f Panels) Figure() (*Figure, error) {
	var limits []float64 // the largest |value| of each column
	maps := make([][][]float64, len(f.Rows))
	labels, beside := make([]string, len(f.Rows)), true
	for i, row := range f.Rows {
		labels[i] = wrap(row.Label, textStyle(smallSize, ink), panelLabel)
		inset := len(row.Maps) > 0 && row.Maps[0] == nil
		beside = beside && (inset || labels[i] != "") && strings.Count(labels[i], "\n") < 3
		for j, m := range row.Maps {
			if j == len(limits) {
				limits = append(limits, 0)
			}
			if m == nil {
				maps[i] = append(maps[i], nil)
				continue
			}
			if n := side(m); n < 2 || n*n != len(m) || !finite(m...) {
				return nil, fmt.Errorf("panels: map %d of row %q has %d values, want n×n finite values with n ≥ 2", j+1,
					row.Label, len(m))
			}
			maps[i] = append(maps[i], scaled(m))
			limits[j] = max(limits[j], floats.Norm(maps[i][j], math.Inf(1)))
		}
	}
	blocks := max(1, (len(limits)+panelColumns-1)/panelColumns)
	columns := max(1, (len(limits)+blocks-1)/blocks)
	colours := steps(PanelColours, -1, 1, diverging)
	var plots []*plot.Plot
	for from := 0; from < len(limits); from += columns {
		for i, row := range f.Rows {
			block := maps[i][min(from, len(maps[i])):min(from+columns, len(maps[i]))]
			if !slices.ContainsFunc(block, func(m []float64) bool { return m != nil }) {
				continue
			}
			for j := from; j < from+columns; j++ {
				if j >= len(row.Maps) || row.Maps[j] == nil {
					plots = append(plots, nil)
					continue
				}
				limit := cmp.Or(limits[j], 1)
				p := heatPlot("", "", surface{x1: 1, y1: 1, z: smooth(maps[i][j])}, colours, -limit, limit)
				if j < len(row.Titles) {
					p.X.Label.Text = row.Titles[j]
				}
				if i == 0 && j < len(f.Head) {
					p.Title.Text = f.Head[j]
				}
				if beside && j == from {
					p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0.5, Label: labels[i]}}
				} else if !beside {
					p.Title.TextStyle.XAlign, p.Title.Text = text.XLeft, blank(row.Label)
					if j == from {
						p.Title.Text = row.Label
					}
				}
				plots = append(plots, p)
			}
		}
	}
	title, whole := "±max |value| of the panel", 0 // rows without an empty place
	for _, row := range f.Rows {
		if !slices.ContainsFunc(row.Maps, func(m []float64) bool { return m == nil }) {
			whole++
		}
	}
	if whole < len(f.Rows) {
		title = "±max |value| of the column; functions scaled to RMS 1"
	} else if len(f.Rows) > 1 {
		title = fmt.Sprintf("±max |value| of the column of %d maps; functions scaled to RMS 1", len(f.Rows))
	}
	height, wide := vg.Length(barHeight), pageWidth
	if beside {
		wide -= panelLabel + 4
	}
	size := (wide+tileGap)/vg.Length(max(4, columns)) - tileGap
	area := vgdraw.Canvas{Rectangle: rectangle(0, 0, pageWidth, pageWidth)}
	for row := range slices.Chunk(plots, columns) {
		texts := vg.Length(0) // height of titles and captions
		for _, p := range row {
			if p != nil {
				texts = max(texts, pageWidth-p.DataCanvas(area).Size().Y)
			}
		}
		height += size + texts + tileGap
	}
	return framed(f.Note, nil, height, func(c vgdraw.Canvas) {
		drawBar(c, colours, "−max", "+max", title)
		tile(vgdraw.Crop(c, 0, 0, barHeight, 0), columns, plots, true)
	}), nil
}

// side returns n of a map on n×n points.
func side(m []float64) int { return int(math.Round(math.Sqrt(float64(len(m))))) }

// smooth returns a map at pixels between its first and last points, by column and row.
func smooth(m []float64) [][]float64 {
	return refine(refine(slices.Collect(slices.Chunk(m, side(m)))))
}

// refine interpolates lines of equal length by Akima splines, which do not overshoot next to a peak. It returns a list
// for each pixel of a line, with the values of all lines there.
func refine(lines [][]float64) [][]float64 {
	pixels := make([][]float64, panelPixels)
	last := float64(len(lines[0]) - 1)
	points := floats.Span(make([]float64, len(lines[0])), 0, last)
	for _, line := range lines {
		var curve interp.AkimaSpline
		if err := curve.Fit(points, line); err != nil {
			panic(err) // the points ascend
		}
		for p := range pixels {
			pixels[p] = append(pixels[p], curve.Predict((float64(p)+0.5)/panelPixels*last))
		}
	}
	return pixels
}
