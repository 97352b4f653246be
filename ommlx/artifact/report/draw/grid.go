package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"omm-go/ommlx/internal/say"
)

// Wall marks a wall in a [Grid]; every other cell is a state. It is the mark of the official layout files.
const Wall = 'X'

// Grid is a grid environment to draw.
type Grid struct {
	Name string
	Rows []string // from north to south, all of one length; 'X' is a wall
}

// States is the number of cells that are not walls.
func (g Grid) States() int {
	text := strings.Join(g.Rows, "")
	return len(text) - strings.Count(text, string(Wall))
}

// Fig3 is figure 3 of the paper (section C.1): the grid environments, walls dark and states light, with name and number
// of states under each.
type Fig3 struct {
	Note  string // printed under the figure; may be empty
	Grids []Grid // in drawing order, four in a row
}

// Figure lays the figure out: 5.5 in wide, about 1.6 in per row of four.
func (f Fig3) Figure() (*Figure, error) {
	var tiles []gridTile
	for _, g := range f.Grids {
		caption := []captionLine{{centred(labelSize, ink), g.Name},
			{centred(smallSize, grey), say.Count(g.States(), "state")}}
		tiles = append(tiles, gridTile{Grid: g, caption: caption})
	}
	return gridTiles(f.Note, min(4, len(tiles)), 1.3*vg.Inch-3, nil, tiles), nil
}

type gridTile struct {
	Grid
	colours []color.Color // of the states; nil: white, with lines between neighbours
	caption []captionLine
}

type captionLine struct {
	style text.Style
	words string
}

const gridApart = vg.Length(6)

// gridTiles lays layouts of at most a height out in rows, above a colour scale unless it is nil.
func gridTiles(note string, columns int, height vg.Length, scale func(vgdraw.Canvas), list []gridTile) *Figure {
	lines := 0
	for _, t := range list {
		lines = max(lines, len(t.caption))
	}
	caption, foot := vg.Length(lines)*lineHeight+3, vg.Length(3)
	if scale != nil {
		foot = scaleHeight
	}
	rows := (len(list) + columns - 1) / columns
	panel := (pageWidth - vg.Length(columns-1)*gridApart) / vg.Length(columns)
	height = vg.Length(rows)*(height+caption+gridApart) - gridApart + foot
	return framed(note, nil, height, panel, func(c vgdraw.Canvas) {
		if scale != nil {
			scale(c)
			c.Min.Y += scaleHeight
		}
		tiles := vgdraw.Tiles{Rows: rows, Cols: columns, PadX: gridApart, PadY: gridApart}
		for i, t := range list {
			t.paint(tiles.At(c, i%columns, i/columns), caption)
		}
	})
}

// paint draws the layout, of square cells as large as fit, above the middle of the caption.
func (t gridTile) paint(c vgdraw.Canvas, caption vg.Length) {
	at := vg.Point{X: c.Center().X, Y: c.Min.Y + caption}
	area := rectangle(c.Min.X, at.Y, c.Max.X, c.Max.Y)
	for _, line := range t.caption {
		at.Y -= lineHeight
		c.FillText(line.style, at, line.words)
	}
	rows, cols := vg.Length(len(t.Rows)), vg.Length(len(t.Rows[0]))
	size := min(area.Size().X/cols, area.Size().Y/rows)
	left, top := middle(area).X-size*cols/2, middle(area).Y+size*rows/2
	box := func(row, col, width int) vg.Rectangle { // of width cells from one on eastward
		x, y := left+vg.Length(col)*size, top-vg.Length(row+1)*size
		return rectangle(x, y, x+vg.Length(width)*size, y+size)
	}
	// Walls and states are a path each, since a viewer shows hairlines between neighbours that are filled one by one.
	var walls, states, outlines vg.Path
	colours := t.colours
	for row, line := range t.Rows {
		for _, run := range runs.FindAllStringIndex(line, -1) {
			path := box(row, run[0], run[1]-run[0]).Path()
			if line[run[0]] == Wall {
				walls = append(walls, path...)
				continue
			}
			states = append(states, path...)
			for col := run[0]; col < run[1]; col++ {
				cell := box(row, col, 1)
				outlines = append(outlines, cell.Path()...)
				if t.colours == nil {
					continue
				}
				// A little overlap towards cells still to come hides the seams between them.
				if col < len(line)-1 {
					cell.Max.X += 0.25
				}
				if row < len(t.Rows)-1 {
					cell.Min.Y -= 0.25
				}
				c.FillPolygon(colours[0], corners(cell))
				colours = colours[1:]
			}
		}
	}
	if t.colours == nil {
		c.SetColor(white)
		c.Fill(states)
		if size >= 3 { // there is room for lines
			c.SetLineStyle(vgdraw.LineStyle{Color: gridInk, Width: 0.3})
			c.Stroke(outlines)
		}
	}
	c.SetColor(wallInk)
	c.Fill(walls)
	frame := box(0, 0, len(t.Rows[0]))
	frame.Min.Y -= (rows - 1) * size
	outline(c, frame, wallInk, axisLine)
}

// runs are neighbours of one kind.
var runs = regexp.MustCompile(string(Wall) + "+|[^" + string(Wall) + "]+")

// HeatMaps draws functions on grid environments, as learned eigenfunctions beside true ones: navy below zero, white at
// zero, orange above, walls dark grey. Each function is divided by its root mean square (RMS), since eigenfunctions
// matter up to a factor. All maps have one scale, which ends at ± the largest |value| in the picture, but see Shares.
type HeatMaps struct {
	Note    string // printed under the maps; may be empty
	Columns int    // maps in a row; 0 means at most six
	Maps    []HeatMap
	// Shares marks values as shares, such as cosines without a sign, which are not divided by anything. All maps have
	// one scale then, from 0 (white) to 1 (navy).
	Shares bool
}

// HeatMap is one function on one grid.
type HeatMap struct {
	Title  string // under the map; may be empty
	Grid   Grid
	Values []float64 // one per state, in the order of the rows, west to east
}

// Figure lays the maps out in rows: 5.5 in wide. It is an error if a map has not one finite value per state.
func (f HeatMaps) Figure() (*Figure, error) {
	columns := cmp.Or(f.Columns, min(6, len(f.Maps)))
	width := (pageWidth - vg.Length(columns-1)*gridApart) / vg.Length(columns)
	limit, tallest := 0.0, 0.0 // the largest |value| of functions of RMS 1, and the most rows per column
	for _, m := range f.Maps {
		limit = max(limit, floats.Norm(m.Values, math.Inf(1))/size(m.Values))
	}
	var tiles []gridTile
	for _, m := range f.Maps {
		if len(m.Values) != m.Grid.States() || !finite(m.Values...) {
			return nil, fmt.Errorf("heat map %q: it has %d values, and %d states of %s need a finite number each",
				m.Title, len(m.Values), m.Grid.States(), m.Grid.Name)
		}
		tallest = max(tallest, float64(len(m.Grid.Rows))/float64(len(m.Grid.Rows[0])))
		tile := gridTile{Grid: m.Grid}
		for _, v := range m.Values {
			colour := scoreColour(v)
			if !f.Shares {
				colour = diverging(v / (size(m.Values) * max(limit, 1e-300)))
			}
			tile.colours = append(tile.colours, colour)
		}
		for _, line := range wrap(m.Title, textStyle(smallSize, ink), width) {
			tile.caption = append(tile.caption, captionLine{centred(smallSize, ink), line})
		}
		tiles = append(tiles, tile)
	}
	scale := func(c vgdraw.Canvas) {
		paintSigns(c, scaleSteps, fmt.Sprintf("%.3g", limit), "±max |value| in the picture; functions scaled to RMS 1")
	}
	if f.Shares {
		scale = func(c vgdraw.Canvas) { paintScale(c, scaleSteps, scoreColour, "0", "1", "one scale for all maps") }
	}
	return gridTiles(f.Note, columns, min(width*vg.Length(tallest), 3*vg.Inch), scale, tiles), nil
}

const (
	scaleHeight = 16 + lineHeight
	scaleSteps  = 64 // of a scale without levels
)

// paintScale draws a colour scale of so many steps at the bottom of c, with the names of its ends, above its title.
func paintScale(c vgdraw.Canvas, steps int, colour func(share float64) color.Color, low, high, title string) {
	const width, thick = vg.Length(96), vg.Length(6)
	middle, y := c.Center().X, c.Min.Y+lineHeight+3
	c.FillText(centred(smallSize, ink), vg.Point{X: middle, Y: c.Min.Y + 1}, title)
	for i := range steps {
		x := middle - width/2 + vg.Length(i)*width/vg.Length(steps)
		right := min(x+width/vg.Length(steps)+0.25, middle+width/2)
		c.FillPolygon(colour(float64(i)/float64(steps-1)), corners(rectangle(x, y, right, y+thick)))
	}
	outline(c, rectangle(middle-width/2, y, middle+width/2, y+thick), ink, hairline)
	style := centred(smallSize, ink)
	c.FillText(style, vg.Point{X: middle - width/2 - 17, Y: y}, low)
	c.FillText(style, vg.Point{X: middle + width/2 + 17, Y: y}, high)
}

// paintSigns draws the scale of [diverging] from −limit to +limit.
func paintSigns(c vgdraw.Canvas, steps int, limit, title string) {
	colour := func(share float64) color.Color { return diverging(2*share - 1) }
	paintScale(c, steps, colour, "−"+limit, "+"+limit, title)
}
