package notebook

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/train"
)

// Cells are a row of a [Table]: a name, then numbers in a format such as "%.3f".
func Cells(name, format string, numbers ...float64) []string {
	row := []string{name}
	for _, x := range numbers {
		row = append(row, fmt.Sprintf(format, x))
	}
	return row
}

// Panels are a row of pictures under one label, a function for each column of f. Rows of f are n×n points of a square,
// the second coordinate running fastest.
func Panels(label string, f mat.Matrix) draw.PanelRow {
	row := draw.PanelRow{Label: label}
	_, k := f.Dims()
	for i := range k {
		row.Maps = append(row.Maps, mat.Col(nil, i, f))
	}
	return row
}

// Curve is what a training was judged with on the way, in the mean over its runs, against its steps.
func Curve(name string, history []train.Point) draw.Series {
	s := draw.Series{Name: name}
	for _, p := range history {
		s.Add(float64(p.Step), stat.Mean(p.Value, nil))
	}
	return s
}

// maxSeries is how many series of a plot can be told apart.
const maxSeries = 8

// Record adds a point to each of the series "name 1", "name 2", … of a plot, of which there are as many as values, but
// at most eight: more cannot be told apart.
func Record(plot *draw.Curves, name string, step int, values []float64) {
	for i, value := range values[:min(len(values), maxSeries)] {
		if i == len(plot.Series) {
			plot.Series = append(plot.Series, draw.Series{Name: fmt.Sprintf("%s %d", name, i+1)})
		}
		plot.Series[i].Add(float64(step), value)
	}
}
