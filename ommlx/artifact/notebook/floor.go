package notebook

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/report/draw"
)

// Floor is a floor plan of three rooms as a graph. Its nodes are the cells; an edge joins two cells at most five steps
// apart with no wall between them. Every seventh cell is new: Seen has none of its edges.
type Floor struct {
	draw.Layout
	Full, Seen graphs.Adjacency
	X          *mat.Dense // N×2, the position of each cell
	New        []bool     // [N]
}

// FloorPlan returns the plan, 20×33 with a door in each of two walls.
func FloorPlan() Floor {
	f := Floor{Layout: draw.Layout{Name: "floor plan"}}
	var cells [][2]int
	for r := range 20 {
		row := []byte(strings.Repeat(".", 33))
		if r < 3 || r > 6 {
			row[11] = draw.Wall
		}
		if r < 13 || r > 16 {
			row[22] = draw.Wall
		}
		f.Rows = append(f.Rows, string(row))
		for c := range row {
			if row[c] != draw.Wall {
				cells = append(cells, [2]int{r, c})
			}
		}
	}
	var ends []uint32 // of each edge
	f.X = mat.NewDense(len(cells), 2, nil)
	for i, cell := range cells {
		f.X.SetRow(i, []float64{float64(cell[1]-16) / 10, float64(cell[0]-10) / 10})
		f.New = append(f.New, i%7 == 3)
		for j := range i {
			if f.sees(cell, cells[j]) {
				ends = append(ends, uint32(i), uint32(j))
			}
		}
	}
	f.Full = graphs.FromEdges(len(cells), ends)
	f.Seen = f.Full.Without(func(cell int) bool { return f.New[cell] })
	return f
}

// OnNew returns the values of a function on new cells.
func (f Floor) OnNew(values []float64) (some []float64) {
	for i, value := range values {
		if f.New[i] {
			some = append(some, value)
		}
	}
	return some
}

// sees reports whether two cells are at most five steps apart with no wall between them.
func (f Floor) sees(a, b [2]int) bool {
	down, right := float64(b[0]-a[0]), float64(b[1]-a[1])
	for s := 0.0; s <= 1; s += 0.05 {
		if f.Rows[int(math.Round(float64(a[0])+s*down))][int(math.Round(float64(a[1])+s*right))] == draw.Wall {
			return false
		}
	}
	return math.Hypot(down, right) <= 5
}
