package draw

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"omm-go/ommlx/internal/say"
)

// Wall marks a wall in a [Layout], as in the official layout files; every other cell is a state.
const Wall = 'X'

// Layout is the floor plan of a grid environment.
type Layout struct {
	Name string
	Rows []string // from north to south, of equal length; 'X' is a wall
}

// States returns the number of cells that are not walls.
func (l Layout) States() int {
	text := strings.Join(l.Rows, "")
	return len(text) - strings.Count(text, string(Wall))
}

// table returns a value for each cell, NaN for a wall. Without values every state has 0.
func (l Layout) table(values []float64) [][]float64 {
	table := make([][]float64, len(l.Rows))
	for i, row := range l.Rows {
		for _, cell := range row {
			value := 0.0
			if cell == Wall {
				value = math.NaN()
			} else if values != nil {
				value, values = values[0], values[1:]
			}
			table[i] = append(table[i], value)
		}
	}
	return table
}

// HeatMaps draws functions on grid environments, such as learned and true eigenfunctions: navy below zero, white at
// zero, orange above, walls dark grey. Each function is divided by its root mean square (RMS), since eigenfunctions are
// defined up to a factor. All maps share a scale, which ends at ± the largest |value| in the picture. A picture without
// values shows the layouts, as figure 3 of the paper (section C.1).
type HeatMaps struct {
	Note    string // printed under the maps; may be empty
	Columns int    // maps per row; 0 means at most six
	Maps    []HeatMap
	// Shares marks values in [0, 1], such as cosines without a sign. They are drawn unscaled, from 0 (white) to 1
	// (navy).
	Shares bool
}

// HeatMap is one function on one layout.
type HeatMap struct {
	Title  string // under the map; may be empty
	Layout Layout
	Values []float64 // one per state, in the order of the rows, west to east; nil for the layout with its name
	// RowNames, from the top, and ColumnNames label the rows and columns of a matrix; nil for none.
	RowNames, ColumnNames []string
}

// label writes the names of rows and columns along the axes of the map.
func (m HeatMap) label(p *plot.Plot) {
	var rows, columns []plot.Tick
	for i, name := range m.RowNames {
		rows = append(rows, plot.Tick{Value: float64(len(m.RowNames)-i) - 0.5, Label: name})
	}
	for j, name := range m.ColumnNames {
		columns = append(columns, plot.Tick{Value: float64(j) + 0.5, Label: name})
	}
	p.Y.Tick.Marker, p.X.Tick.Marker = plot.ConstantTicks(rows), plot.ConstantTicks(columns)
}

// Figure lays out the maps in rows, 5.5 in wide.
func (f HeatMaps) Figure() (*Figure, error) {
	columns := cmp.Or(f.Columns, min(6, len(f.Maps)))
	width := (pageWidth - vg.Length(columns-1)*tileGap) / vg.Length(columns)
	limit := 0.0
	var tables [][][]float64
	var titles []string
	for _, m := range f.Maps {
		if m.Values == nil {
			m.Title = m.Layout.Name + "\n" + say.Count(m.Layout.States(), "state")
		} else if len(m.Values) != m.Layout.States() || !finite(m.Values...) {
			return nil, fmt.Errorf("heat map %q: %d values for %d states of %s, want one finite value per state",
				m.Title, len(m.Values), m.Layout.States(), m.Layout.Name)
		} else if !f.Shares {
			m.Values = scaled(m.Values)
			limit = max(limit, floats.Norm(m.Values, math.Inf(1)))
		}
		tables = append(tables, m.Layout.table(m.Values))
		names := vg.Length(0)
		for _, name := range m.RowNames {
			names = max(names, textStyle(smallSize, ink).Width(name+"  "))
		}
		titles = append(titles, wrap(m.Title, textStyle(smallSize, ink), width-names))
	}
	colours, low, high := steps(65, -1, 1, diverging), -cmp.Or(limit, 1), cmp.Or(limit, 1)
	left, right := fmt.Sprintf("−%.3g", limit), fmt.Sprintf("+%.3g", limit)
	title, bar := "±max |value| in the picture; functions scaled to RMS 1", barHeight
	if f.Shares {
		colours, low, high = steps(65, 0, 1, sequential), 0, 1
		left, right, title = "0", "1", "one scale for all maps"
	} else if limit == 0 {
		bar = 0
	}
	var plots []*plot.Plot
	for i, table := range tables {
		p := heatPlot("", titles[i], cells(table), colours, low, high)
		f.Maps[i].label(p)
		plots = append(plots, p)
	}
	return framed(f.Note, nil, equalHeight(columns, plots)+bar, func(c vgdraw.Canvas) {
		if bar > 0 {
			drawBar(c, colours, left, right, title)
		}
		tile(vgdraw.Crop(c, 0, 0, bar, 0), columns, plots, true)
	}), nil
}

// scaled returns a function divided by its root mean square, if that is not zero.
func scaled(m []float64) []float64 {
	size := cmp.Or(floats.Norm(m, 2)/math.Sqrt(float64(len(m))), 1)
	return floats.ScaleTo(make([]float64, len(m)), 1/size, m)
}
