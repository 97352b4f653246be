package draw

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Wall marks a wall in a [Grid]; every other cell is a state. It is the mark of the official layout files.
const Wall = 'X'

// Grid is a grid environment to draw.
type Grid struct {
	Name      string
	Rows      []string // from north to south, all of one length; 'X' is a wall
	Generated bool     // ours instead of the official layout; the figure says so
}

// States is the number of cells that are not walls.
func (g Grid) States() int {
	n := 0
	for _, row := range g.Rows {
		n += len(row) - strings.Count(row, string(Wall))
	}
	return n
}

func (g Grid) check() error {
	if g.Name == "" {
		return errors.New("a grid has no name")
	}
	if len(g.Rows) == 0 || len(g.Rows[0]) == 0 {
		return fmt.Errorf("%s: the layout is empty", g.Name)
	}
	for i, row := range g.Rows {
		if len(row) != len(g.Rows[0]) {
			return fmt.Errorf("%s: row %d has %d cells and the first has %d: give all rows the same length",
				g.Name, i+1, len(row), len(g.Rows[0]))
		}
	}
	if g.States() == 0 {
		return fmt.Errorf("%s: the layout is all wall", g.Name)
	}
	return nil
}

// cells places the layout in a box: square cells, as large as fit, centred.
type cells struct {
	left, top, size vg.Length
}

func (g Grid) fit(r vg.Rectangle) cells {
	rows, cols := vg.Length(len(g.Rows)), vg.Length(len(g.Rows[0]))
	size := min(r.Size().X/cols, r.Size().Y/rows)
	return cells{
		left: (r.Min.X + r.Max.X - size*cols) / 2,
		top:  (r.Min.Y + r.Max.Y + size*rows) / 2,
		size: size,
	}
}

// box is the rectangle of a cell, or of width cells from it on eastward.
func (k cells) box(row, col, width int) vg.Rectangle {
	x, y := k.left+vg.Length(col)*k.size, k.top-vg.Length(row+1)*k.size
	return rectangle(x, y, x+vg.Length(width)*k.size, y+k.size)
}

// path covers all cells for which want holds. It is one path, since a viewer shows hairlines between neighbours that
// are filled one by one.
func (g Grid) path(k cells, want func(wall bool) bool) vg.Path {
	var p vg.Path
	for row, line := range g.Rows {
		for col := 0; col < len(line); {
			width := 0
			for col+width < len(line) && want(line[col+width] == Wall) {
				width++
			}
			if width > 0 {
				p = append(p, k.box(row, col, width).Path()...)
			}
			col += max(width, 1)
		}
	}
	return p
}

// drawWalls fills the walls of the layout.
func (g Grid) drawWalls(c vgdraw.Canvas, k cells) {
	c.SetColor(wallInk)
	c.Fill(g.path(k, func(wall bool) bool { return wall }))
}

// drawStates fills the states, with a light line between neighbours where there is room.
func (g Grid) drawStates(c vgdraw.Canvas, k cells) {
	c.SetColor(white)
	c.Fill(g.path(k, func(wall bool) bool { return !wall }))
	if k.size < 3 {
		return
	}
	var lines vg.Path
	for row, line := range g.Rows {
		for col := range line {
			if line[col] == Wall {
				continue
			}
			r := k.box(row, col, 1)
			corner := vg.Point{X: r.Max.X, Y: r.Min.Y}
			if col+1 < len(line) && line[col+1] != Wall {
				lines.Move(corner)
				lines.Line(r.Max)
			}
			if row+1 < len(g.Rows) && g.Rows[row+1][col] != Wall {
				lines.Move(r.Min)
				lines.Line(corner)
			}
		}
	}
	c.SetLineStyle(vgdraw.LineStyle{Color: gridInk, Width: 0.3})
	c.Stroke(lines)
}
