package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
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

// Fig3 is figure 3 of the paper (section C.1): the grid environments with dark walls and light states, four per row,
// each with its name and number of states.
type Fig3 struct {
	Note    string // printed under the figure; may be empty
	Layouts []Layout
}

// Figure lays out the figure, 5.5 in wide, about 1.6 in per row.
func (f Fig3) Figure() (*Figure, error) {
	var plots []*plot.Plot
	for _, l := range f.Layouts {
		plots = append(plots, l.plot(nil, l.Name+"\n"+say.Count(l.States(), "state")))
	}
	columns := min(4, len(plots))
	height := tiledHeight(len(plots), columns, 1.6*vg.Inch)
	return framed(f.Note, nil, height, func(c vgdraw.Canvas) { tileEqual(c, columns, plots) }), nil
}

// plot draws the walls, the states in their colours (nil: white, with lines between neighbours in small layouts) and a
// caption. A cell is one unit wide and high.
func (l Layout) plot(colours []color.Color, caption string) *plot.Plot {
	p := newPlot("", caption, "")
	p.HideAxes()
	p.X.Label.TextStyle.Font.Size = smallSize
	columns := float64(len(l.Rows[0]))
	walls, states := &plotter.Polygon{Color: wallInk}, &plotter.Polygon{}
	if len(l.Rows[0]) <= 30 {
		states.LineStyle = vgdraw.LineStyle{Color: gridInk, Width: 0.3}
	}
	for row, cells := range l.Rows {
		y := float64(-row)
		for col, cell := range cells {
			at := box(float64(col), y-1, float64(col+1), y)
			switch {
			case cell == Wall:
				walls.XYs = append(walls.XYs, at)
			case colours == nil:
				states.XYs = append(states.XYs, at)
			default: // an outline of the same colour hides the seams between neighbours
				edge := vgdraw.LineStyle{Color: colours[0], Width: 0.3}
				p.Add(&plotter.Polygon{XYs: []plotter.XYs{at}, Color: colours[0], LineStyle: edge})
				colours = colours[1:]
			}
		}
	}
	frame := vgdraw.LineStyle{Color: wallInk, Width: axisLine}
	p.Add(states, walls,
		&plotter.Polygon{XYs: []plotter.XYs{box(0, -float64(len(l.Rows)), columns, 0)}, LineStyle: frame})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, columns, -float64(len(l.Rows)), 0
	return p
}

func tiledHeight(plots, columns int, row vg.Length) vg.Length {
	rows := (plots + columns - 1) / columns
	return vg.Length(rows)*(row+tileGap) - tileGap
}

// HeatMaps draws functions on grid environments, such as learned and true eigenfunctions: navy below zero, white at
// zero, orange above, walls dark grey. Each function is divided by its root mean square (RMS), since eigenfunctions are
// defined up to a factor. All maps share a scale, which ends at ± the largest |value| in the picture.
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
	Values []float64 // one per state, in the order of the rows, west to east
}

// Figure lays out the maps in rows, 5.5 in wide.
func (f HeatMaps) Figure() (*Figure, error) {
	columns := cmp.Or(f.Columns, min(6, len(f.Maps)))
	width := (pageWidth - vg.Length(columns-1)*tileGap) / vg.Length(columns)
	limit, tallest, lines := 0.0, 0.0, 0
	for _, m := range f.Maps {
		if len(m.Values) != m.Layout.States() || !finite(m.Values...) {
			return nil, fmt.Errorf("heat map %q: %d values for %d states of %s, want one finite value per state",
				m.Title, len(m.Values), m.Layout.States(), m.Layout.Name)
		}
		limit = max(limit, floats.Norm(m.Values, math.Inf(1))/size(m.Values))
		tallest = max(tallest, float64(len(m.Layout.Rows))/float64(len(m.Layout.Rows[0])))
		lines = max(lines, len(wrap(m.Title, textStyle(smallSize, ink), width)))
	}
	var plots []*plot.Plot
	for _, m := range f.Maps {
		colours := make([]color.Color, len(m.Values))
		for i, v := range m.Values {
			if colours[i] = sequential(v); !f.Shares {
				colours[i] = diverging(v / (size(m.Values) * max(limit, 1e-300)))
			}
		}
		caption := strings.Join(wrap(m.Title, textStyle(smallSize, ink), width), "\n")
		plots = append(plots, m.Layout.plot(colours, caption))
	}
	row := min(width*vg.Length(tallest), 3*vg.Inch) + vg.Length(lines)*lineHeight
	height := tiledHeight(len(plots), columns, row) + barHeight
	return framed(f.Note, nil, height, func(c vgdraw.Canvas) {
		if f.Shares {
			drawBar(c, steps(64, 0, 1, sequential), "0", "1", "one scale for all maps")
		} else {
			end := fmt.Sprintf("%.3g", limit)
			drawBar(c, steps(65, -1, 1, diverging), "−"+end, "+"+end,
				"±max |value| in the picture; functions scaled to RMS 1")
		}
		tileEqual(vgdraw.Crop(c, 0, 0, barHeight, 0), columns, plots)
	}), nil
}

// size returns the root mean square of a function, or 1 if the function is zero.
func size(m []float64) float64 {
	return cmp.Or(floats.Norm(m, 2)/math.Sqrt(float64(len(m))), 1)
}
