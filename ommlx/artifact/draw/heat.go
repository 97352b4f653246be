package draw

import (
	"errors"
	"fmt"
	"image/color"
	"math"

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

// Figure lays the maps out in rows: 5.5 in wide. It is an error if a map has not one finite value per state,
// or if a share is outside of [0, 1].
func (f HeatMaps) Figure() (*Figure, error) {
	if len(f.Maps) == 0 {
		return nil, errors.New("heat maps: no maps to draw")
	}
	if f.Columns < 0 {
		return nil, fmt.Errorf("heat maps: %d columns: give a positive number, or 0 for the default", f.Columns)
	}
	columns := f.Columns
	if columns == 0 {
		columns = min(6, len(f.Maps))
	}
	const pad = vg.Length(6)
	width := (TextWidth - vg.Length(columns-1)*pad) / vg.Length(columns)
	tallest := 0.0 // rows per column of the tallest layout
	titles := make([][]string, len(f.Maps))
	titleLines := 0
	for i, m := range f.Maps {
		if err := m.Grid.check(); err != nil {
			return nil, fmt.Errorf("heat maps: %w", err)
		}
		if len(m.Values) != m.Grid.States() {
			return nil, fmt.Errorf("heat maps: %s: %d values for %d states of %s: give one per state",
				m.Title, len(m.Values), m.Grid.States(), m.Grid.Name)
		}
		if !finite(m.Values...) {
			return nil, fmt.Errorf("heat maps: %s: a value is not a finite number", m.Title)
		}
		for _, v := range m.Values {
			if f.Shares && (v < 0 || v > 1+1e-9) {
				return nil, fmt.Errorf("heat maps: %s: a share is %g: give numbers from 0 to 1", m.Title, v)
			}
		}
		tallest = max(tallest, float64(len(m.Grid.Rows))/float64(len(m.Grid.Rows[0])))
		titles[i] = wrap(m.Title, textStyle(smallSize, ink), width)
		titleLines = max(titleLines, len(titles[i]))
	}
	rows := (len(f.Maps) + columns - 1) / columns
	caption := vg.Length(titleLines)*lineHeight + 3
	tile := min(width*vg.Length(tallest), 3*vg.Inch) + caption
	notes := wrap(f.Note, textStyle(smallSize, grey), TextWidth)
	height := vg.Length(rows)*(tile+pad) + vg.Length(len(notes))*lineHeight + scaleHeight
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = footer(c, notes)
		if f.Shares {
			paintScale(c, scoreColour, "0", "1")
		} else {
			paintSigns(c)
		}
		c.Min.Y += scaleHeight
		tiles := vgdraw.Tiles{Rows: rows, Cols: columns, PadX: pad, PadY: pad}
		for i, m := range f.Maps {
			m.paint(tiles.At(c, i%columns, i/columns), m.colours(f.Shares), titles[i], caption)
		}
	}}, nil
}

// colours are those of the values, on a scale of their own or as shares.
func (m HeatMap) colours(shares bool) (list []color.Color) {
	largest := 0.0
	for _, v := range m.Values {
		largest = max(largest, math.Abs(v))
	}
	for _, v := range m.Values {
		switch {
		case shares:
			list = append(list, scoreColour(min(1, v)))
		case largest == 0:
			list = append(list, diverging(0)) // zero everywhere: white everywhere
		default:
			list = append(list, diverging(v/largest))
		}
	}
	return list
}

// paint draws one map above its title, for which it leaves a caption's height.
func (m HeatMap) paint(c vgdraw.Canvas, colours []color.Color, title []string, caption vg.Length) {
	at := vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Min.Y + caption}
	k := m.Grid.fit(rectangle(c.Min.X, at.Y, c.Max.X, c.Max.Y))
	for _, line := range title {
		at.Y -= lineHeight
		c.FillText(centred(smallSize, ink), at, line)
	}
	next := 0
	for row, line := range m.Grid.Rows {
		for col := range line {
			if line[col] == Wall {
				continue
			}
			r := k.box(row, col, 1)
			// A little overlap towards cells still to come hides the seams between them.
			if col+1 < len(line) {
				r.Max.X += 0.25
			}
			if row+1 < len(m.Grid.Rows) {
				r.Min.Y -= 0.25
			}
			c.FillPolygon(colours[next], corners(r))
			next++
		}
	}
	m.Grid.drawWalls(c, k)
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
