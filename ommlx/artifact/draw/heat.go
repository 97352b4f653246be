package draw

import (
	"cmp"
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// HeatMaps draws functions on grid environments, as learned eigenfunctions beside true ones: navy below zero, white at
// zero, orange above, walls dark grey.
type HeatMaps struct {
	Note    string // printed under the maps; may be empty
	Columns int    // maps in a row; 0 means at most six
	Maps    []HeatMap
	// Shares says that values are shares, as cosines without a sign. All maps have one scale then, from 0 (white) to
	// 1 (navy).
	Shares bool
}

// HeatMap is one function on one grid. Each map has its own scale, symmetric about zero, from −max|value| to
// max|value|, since eigenfunctions matter up to scale; but see [HeatMaps.Shares].
type HeatMap struct {
	Title  string // under the map; may be empty
	Grid   Grid
	Values []float64 // one per state, in the order of the rows, west to east
}

// Figure lays the maps out in rows: 5.5 in wide. It is an error if a map has not one finite value per state.
func (f HeatMaps) Figure() (*Figure, error) {
	columns := cmp.Or(f.Columns, min(6, len(f.Maps)))
	width := (TextWidth - vg.Length(columns-1)*gridApart) / vg.Length(columns)
	tallest := 0.0 // rows per column of the tallest layout
	var tiles []gridTile
	for _, m := range f.Maps {
		if len(m.Values) != m.Grid.States() || !finite(m.Values...) {
			return nil, fmt.Errorf("heat map %q: it has %d values, and %d states of %s need a finite number each", m.Title,
				len(m.Values), m.Grid.States(), m.Grid.Name)
		}
		tallest = max(tallest, float64(len(m.Grid.Rows))/float64(len(m.Grid.Rows[0])))
		tile := gridTile{Grid: m.Grid, colours: m.colours(f.Shares)}
		for _, line := range wrap(m.Title, textStyle(smallSize, ink), width) {
			tile.caption = append(tile.caption, captionLine{centred(smallSize, ink), line})
		}
		tiles = append(tiles, tile)
	}
	scale := paintSigns
	if f.Shares {
		scale = func(c vgdraw.Canvas) { paintScale(c, scoreColour, "0", "1") }
	}
	return gridTiles(f.Note, columns, min(width*vg.Length(tallest), 3*vg.Inch), scale, tiles), nil
}

// colours are those of the values, on a scale of their own or as shares.
func (m HeatMap) colours(shares bool) (list []color.Color) {
	largest := max(floats.Max(m.Values), -floats.Min(m.Values))
	if largest == 0 {
		largest = 1 // zero everywhere: white everywhere
	}
	for _, v := range m.Values {
		if shares {
			list = append(list, scoreColour(v))
		} else {
			list = append(list, diverging(v/largest))
		}
	}
	return list
}

const scaleHeight = vg.Length(16)

// paintScale draws a colour scale at the bottom of c, with the names of its ends.
func paintScale(c vgdraw.Canvas, colour func(share float64) color.Color, low, high string) {
	const steps, width, thick = 64, vg.Length(96), vg.Length(6)
	middle, y := (c.Min.X+c.Max.X)/2, c.Min.Y+3
	for i := range steps {
		x := middle - width/2 + vg.Length(i)*width/steps
		right := min(x+width/steps+0.25, middle+width/2)
		c.FillPolygon(colour(float64(i)/(steps-1)), corners(rectangle(x, y, right, y+thick)))
	}
	frame := corners(rectangle(middle-width/2, y, middle+width/2, y+thick))
	c.StrokeLines(vgdraw.LineStyle{Color: ink, Width: hairline}, append(frame, frame[0]))
	style := centred(smallSize, ink)
	c.FillText(style, vg.Point{X: middle - width/2 - 17, Y: y}, low)
	c.FillText(style, vg.Point{X: middle + width/2 + 17, Y: y}, high)
}

// paintSigns draws the scale of maps that are symmetric about zero.
func paintSigns(c vgdraw.Canvas) {
	paintScale(c, func(share float64) color.Color { return diverging(2*share - 1) }, "–max", "+max")
}
