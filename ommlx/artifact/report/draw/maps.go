package draw

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

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

// HeatMaps draws functions on grid environments, such as learned and true eigenfunctions: navy below zero, white at
// zero, orange above, walls dark grey. The scale of a map ends at ± its largest |value|, written below it, since
// eigenfunctions are defined up to a factor. A map without values shows the layout, as in figure 3 of the paper
// (section C.1).
type HeatMaps struct {
	Note    string // printed under the maps; may be empty
	Columns int    // maps per row; 0 means at most six
	Maps    []HeatMap
	// Shares marks values in [0, 1], such as cosines without a sign. They are drawn from Low (white) to 1 (navy).
	Shares bool
	Low    float64 // at least 0 and less than 1; smaller values are white too
}

// HeatMap is one function on one layout.
type HeatMap struct {
	Title  string // under the map; may be empty
	Layout Layout
	Values []float64 // one per state, in the order of the rows, west to east; nil for the layout with its name
	// RowNames, from the top, and ColumnNames label the rows and columns of a matrix; nil for none.
	RowNames, ColumnNames []string
	Numbers               bool // prints the values in the cells
	Frames                []MapFrame
}

// MapFrame is a frame around a cell of a map. Frames with the same name look the same and have one entry in the legend.
type MapFrame struct {
	Name        string
	Row, Column int // from 0, the first row at the top
}

// Figure lays out the maps in rows, 5.5 in wide.
func (f HeatMaps) Figure() (*Figure, error) {
	out := page{note: f.Note, columns: f.columns(), side: pageWidth / 2}
	shares, framed := sequential, kinds{}
	shares.low = f.Low
	for _, m := range f.Maps {
		if m.Values == nil {
			m.Title = m.Layout.Name + "\n" + say.Count(m.Layout.States(), "state")
		} else if f.Shares {
			out.bar = colourBar(shares, number(f.Low)+map[bool]string{true: " or less"}[f.Low > 0])
		} else {
			m.Title = strings.TrimPrefix(m.Title+"\n"+limit(m.Values), "\n")
		}
		table, err := m.table()
		if err != nil {
			return nil, err
		}
		colours := scaleOf(m.Values, smooth)
		if f.Shares {
			colours = shares
		}
		rows, columns := len(table), len(table[0])
		p := picture(wrap(m.Title, small, pageWidth/vg.Length(out.columns)-tileGap), float64(columns), float64(rows),
			enlarged(max(8, 400/columns), columns, rows, func(x, y int) color.Color { return colours.at(table[y][x]) }))
		p.X.Tick.Marker, p.Y.Tick.Marker = names(m.ColumnNames, false), names(m.RowNames, true)
		if m.Numbers {
			p.Add(numbers(table, colours))
		}
		for _, cell := range m.Frames {
			one := cell.frame(rows, framed)
			p.Add(one)
			out.names.add(cell.Name, one)
		}
		out.plots = append(out.plots, p)
	}
	return out.figure(), nil
}

func (f HeatMaps) columns() int { return cmp.Or(f.Columns, min(6, len(f.Maps))) }

// table returns a value for each cell: 0 for every state of a map without values, and NaN for a wall.
func (m HeatMap) table() ([][]float64, error) {
	values, states := m.Values, m.Layout.States()
	if values == nil {
		values = make([]float64, states)
	}
	if len(values) != states || !finite(values...) {
		return nil, fmt.Errorf("heat map %q: %d values for %d states of %s, want one finite value per state", m.Title,
			len(values), states, m.Layout.Name)
	}
	table := make([][]float64, len(m.Layout.Rows))
	for i, row := range m.Layout.Rows {
		for _, cell := range row {
			value := math.NaN()
			if cell != Wall {
				value, values = values[0], values[1:]
			}
			table[i] = append(table[i], value)
		}
	}
	return table, nil
}

// frame returns the outline of the cell in a map with so many rows.
func (f MapFrame) frame(rows int, known kinds) *plotter.Polygon {
	const inside = 0.06
	x, y := float64(f.Column), float64(rows-1-f.Row)
	if _, old := known[f.Name]; !old {
		known[f.Name] = []marking{markings[4], {color: markings[1].color, dashes: []vg.Length{3, 1.5}}}[len(known)%2]
	}
	one := frame(x+inside, y+inside, x+1-inside, y+1-inside, known[f.Name].color, 1.6)
	one.Dashes = known[f.Name].dashes
	return one
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

// raster returns an image whose colours are given by column and row, the first at the top left.
func raster(columns, rows int, colour func(column, row int) color.Color) image.Image {
	img := image.NewRGBA64(image.Rect(0, 0, columns, rows))
	for column := range columns {
		for row := range rows {
			img.Set(column, row, colour(column, row))
		}
	}
	return img
}

// enlarged returns a raster whose pixels are squares of so many pixels, because viewers blur the edges of pixels.
func enlarged(times, columns, rows int, colour func(column, row int) color.Color) image.Image {
	return raster(times*columns, times*rows, func(x, y int) color.Color { return colour(x/times, y/times) })
}

// picture returns a plot of an image in a frame without axes, with a caption below.
func picture(caption string, width, height float64, img image.Image) *plot.Plot {
	p := newPlot("", caption, "")
	p.HideAxes()
	p.X.Label.TextStyle.Font.Size = smallSize
	p.Add(plotter.NewImage(img, 0, 0, width, height), frame(0, 0, width, height, wallInk, 0.6))
	return p
}
