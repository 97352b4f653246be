package draw

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

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

// table returns a value for each cell, NaN for a wall.
func (l Layout) table(values []float64) [][]float64 {
	table := make([][]float64, len(l.Rows))
	for i, row := range l.Rows {
		for _, cell := range row {
			value := math.NaN()
			if cell != Wall {
				value, values = values[0], values[1:]
			}
			table[i] = append(table[i], value)
		}
	}
	return table
}

// HeatMaps draws functions on grid environments, such as learned and true eigenfunctions: navy below zero, white at
// zero, orange above, walls dark grey. The scale of a map ends at ± its largest |value|, since eigenfunctions are
// defined up to a factor. A map without values shows the layout, as in figure 3 of the paper (section C.1).
type HeatMaps struct {
	Note    string // printed under the maps; may be empty
	Columns int    // maps per row; 0 means at most six
	Maps    []HeatMap
	// Shares marks values in [0, 1], such as cosines without a sign. They are drawn from 0 (white) to 1 (navy).
	Shares bool
}

// HeatMap is one function on one layout.
type HeatMap struct {
	Title  string // under the map; may be empty
	Layout Layout
	Values []float64 // one per state, in the order of the rows, west to east; nil for the layout with its name
	// RowNames, from the top, and ColumnNames label the rows and columns of a matrix; nil for none.
	RowNames, ColumnNames []string
	Numbers               bool // prints the values in the cells
}

// Figure lays out the maps in rows, 5.5 in wide.
func (f HeatMaps) Figure() (*Figure, error) {
	out := page{note: f.Note, columns: cmp.Or(f.Columns, min(6, len(f.Maps))), side: pageWidth / 2}
	for _, m := range f.Maps {
		states := m.Layout.States()
		if m.Values == nil {
			m.Title, m.Values = m.Layout.Name+"\n"+say.Count(states, "state"), make([]float64, states)
		} else if out.bar = mapBar(smooth); f.Shares {
			out.bar = colourBar(sequential, "0", "1", "one scale for all maps")
		}
		if len(m.Values) != states || !finite(m.Values...) {
			return nil, fmt.Errorf("heat map %q: %d values for %d states of %s, want one finite value per state",
				m.Title, len(m.Values), states, m.Layout.Name)
		}
		table, colours := m.Layout.table(m.Values), scaleOf(m.Values, smooth)
		if f.Shares {
			colours = sequential
		}
		p := heatPlot(wrap(m.Title, small, pageWidth/vg.Length(out.columns)-tileGap), cells(table), colours)
		p.X.Tick.Marker, p.Y.Tick.Marker = names(m.ColumnNames, false), names(m.RowNames, true)
		if m.Numbers {
			p.Add(numbers(table, colours))
		}
		out.plots = append(out.plots, p)
	}
	return out.figure(), nil
}

// scaleOf returns a number of colours of a function, from − to + its largest |value|.
func scaleOf(m []float64, count int) scale {
	s := diverging(cmp.Or(floats.Norm(m, math.Inf(1)), 1))
	s.count = count
	return s
}

func mapBar(count int) *plot.Plot {
	return colourBar(scaleOf([]float64{1}, count), "−max", "+max", "±max |value| of the map")
}

// numbers prints the values in the cells of a table.
func numbers(table [][]float64, colours scale) *plotter.Labels {
	all := &plotter.Labels{}
	for i, row := range table {
		for j, value := range row {
			style := textStyle(smallSize, ink, text.XCenter, middle)
			if math.IsNaN(value) {
				continue
			}
			if value > (colours.low+colours.high)/2 {
				style.Color = white
			}
			all.XYs = append(all.XYs, plotter.XY{X: float64(j) + 0.5, Y: float64(len(table)-i) - 0.5})
			all.Labels, all.TextStyle = append(all.Labels, fmt.Sprintf("%.3f", value)), append(all.TextStyle, style)
		}
	}
	return all
}

// names returns ticks at the middle of cells, with downwards from the top.
func names(list []string, downwards bool) (ticks plot.ConstantTicks) {
	for i, name := range list {
		if downwards {
			i = len(list) - 1 - i
		}
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	return ticks
}

// surface is a [plotter.GridXYZ] with values at the centres of equal cells of a rectangle.
type surface struct {
	x0, x1, y0, y1 float64
	columns, rows  int
	z              func(column, row int) float64 // rows go upwards
}

// Dims implements [plotter.GridXYZ].
func (s surface) Dims() (columns, rows int) { return s.columns, s.rows }

// Z implements [plotter.GridXYZ].
func (s surface) Z(column, row int) float64 { return s.z(column, row) }

// X implements [plotter.GridXYZ].
func (s surface) X(column int) float64 {
	return s.x0 + (s.x1-s.x0)*(float64(column)+0.5)/float64(s.columns)
}

// Y implements [plotter.GridXYZ].
func (s surface) Y(row int) float64 { return s.y0 + (s.y1-s.y0)*(float64(row)+0.5)/float64(s.rows) }

// cells returns the surface of a table by its rows, the first at the top, of cells one unit wide and high. A cell has
// many pixels, because viewers blur the edges of pixels.
func cells(table [][]float64) surface {
	rows, columns := len(table), len(table[0])
	pixels := max(8, 400/columns)
	return surface{x1: float64(columns), y1: float64(rows), columns: pixels * columns, rows: pixels * rows,
		z: func(column, row int) float64 { return table[rows-1-row/pixels][column/pixels] }}
}

// heat is a [plotter.HeatMap] without a glyph box for each pixel, which would take seconds.
type heat struct {
	plot.Plotter
	plot.DataRanger
}

func newHeat(s surface, colours scale) heat {
	h := &plotter.HeatMap{GridXYZ: s, Palette: colours, Min: colours.low, Max: colours.high, Rasterized: true,
		NaN: wallInk, Underflow: colours.colour(0), Overflow: colours.colour(1)}
	return heat{h, h}
}

// heatPlot returns a plot of a surface in a frame, with a caption below.
func heatPlot(caption string, s surface, colours scale) *plot.Plot {
	return framedPlot(caption, newHeat(s, colours), s.x0, s.x1, s.y0, s.y1)
}

// framedPlot returns a plot of an image in a frame without axes, with a caption below.
func framedPlot(caption string, image plot.Plotter, x0, x1, y0, y1 float64) *plot.Plot {
	p := newPlot("", caption, "")
	p.HideAxes()
	p.X.Label.TextStyle.Font.Size = smallSize
	p.Add(image, frame(x0, y0, x1, y1, wallInk, 0.6))
	return p
}
