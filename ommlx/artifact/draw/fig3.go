package draw

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Fig3 is figure 3 of the paper (section C.1): the grid environments, walls dark and states light, with name and number
// of states under each.
type Fig3 struct {
	Note  string // printed under the figure; may be empty
	Grids []Grid // in drawing order, four in a row
}

// Figure lays the figure out: 5.5 in wide, about 1.6 in per row of four. A maze that is ours is marked "our maze, same
// size". An empty or ragged layout is an error.
func (f Fig3) Figure() (*Figure, error) {
	if len(f.Grids) == 0 {
		return nil, errors.New("figure 3: no grids to draw")
	}
	seen := map[string]bool{}
	for _, g := range f.Grids {
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("figure 3: %w", err)
		}
		if seen[g.Name] {
			return nil, fmt.Errorf("figure 3: %s appears twice", g.Name)
		}
		seen[g.Name] = true
	}
	captionLines := 2
	if slices.ContainsFunc(f.Grids, func(g Grid) bool { return g.Generated }) {
		captionLines = 3
	}
	rowHeight := 1.3*vg.Inch + vg.Length(captionLines)*lineHeight
	notes := wrap(f.Note, textStyle(smallSize, grey), TextWidth)
	columns := min(4, len(f.Grids))
	rows := (len(f.Grids) + columns - 1) / columns
	height := vg.Length(rows)*rowHeight + vg.Length(len(notes))*lineHeight + 3
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = footer(c, notes)
		tiles := vgdraw.Tiles{Rows: rows, Cols: columns, PadX: 8, PadY: 6}
		for i, g := range f.Grids {
			g.drawTile(tiles.At(c, i%columns, i/columns), captionLines)
		}
	}}, nil
}

// drawTile draws one environment above a caption of so many lines.
func (g Grid) drawTile(c vgdraw.Canvas, captionLines int) {
	at := vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Min.Y + 1 + vg.Length(captionLines-1)*lineHeight}
	k := g.fit(rectangle(c.Min.X, at.Y+lineHeight+2, c.Max.X, c.Max.Y))
	g.drawStates(c, k)
	g.drawWalls(c, k)
	c.FillText(centred(labelSize, ink), at, g.Name)
	at.Y -= lineHeight
	c.FillText(centred(smallSize, grey), at, stateCount(g.States()))
	if g.Generated {
		at.Y -= lineHeight
		c.FillText(centred(smallSize, ink), at, "our maze, same size")
	}
}

func stateCount(n int) string {
	if n == 1 {
		return "1 state"
	}
	return thousands(n) + " states"
}
