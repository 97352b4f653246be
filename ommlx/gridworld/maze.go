package gridworld

import (
	"math/rand/v2"
)

// mazeSeed fixes the mazes that stand in for the official ones.
const mazeSeed = 20240501

// mazePlan is the size of an official maze.
type mazePlan struct{ rows, cols, states int }

// generate carves a connected maze of exactly the planned size, the same one at every call: a depth-first spanning tree
// over the cells at odd rows and columns, stopped when enough states are open. Where the whole tree has too few,
// further cells are opened beside it, which makes dead ends and loops but no open squares.
func (p mazePlan) generate(name string) *Grid {
	rng := rand.New(rand.NewPCG(mazeSeed, uint64(p.rows*p.cols)))
	open := make([]bool, p.rows*p.cols)
	inside := func(r, c int) bool { return r >= 1 && c >= 1 && r <= p.rows-2 && c <= p.cols-2 }
	directions := [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}

	path := [][2]int{{1, 1}}
	open[p.cols+1] = true
	states := 1
	for len(path) > 0 && states+2 <= p.states {
		at := path[len(path)-1]
		stuck := true
		for _, i := range rng.Perm(4) {
			d := directions[i]
			r, c := at[0]+2*d[0], at[1]+2*d[1]
			if inside(r, c) && !open[r*p.cols+c] {
				open[(at[0]+d[0])*p.cols+at[1]+d[1]] = true
				open[r*p.cols+c] = true
				states += 2
				path = append(path, [2]int{r, c})
				stuck = false
				break
			}
		}
		if stuck {
			path = path[:len(path)-1]
		}
	}

	for ; states < p.states; states++ {
		var candidates []int
		for r := 1; r <= lastCell(p.rows); r++ {
			for c := 1; c <= lastCell(p.cols); c++ {
				cell := r*p.cols + c
				if !open[cell] && touches(open, cell, p.cols) && !makesSquare(open, cell, p.cols) {
					candidates = append(candidates, cell)
				}
			}
		}
		open[candidates[rng.IntN(len(candidates))]] = true
	}
	g := newGrid(name, p.rows, p.cols, open)
	g.Generated = true
	return g
}

// lastCell is the last odd row or column inside the outer wall, which is two cells thick beyond it where the size is
// even: cells opened there would be notches in that wall.
func lastCell(size int) int { return (size-2-1)/2*2 + 1 }

// touches tells whether a neighbour of an interior cell is open.
func touches(open []bool, cell, cols int) bool {
	return open[cell-cols] || open[cell+cols] || open[cell-1] || open[cell+1]
}

// makesSquare tells whether opening an interior cell would complete a 2×2 block of open cells.
func makesSquare(open []bool, cell, cols int) bool {
	for _, up := range [2]int{-cols, cols} {
		for _, side := range [2]int{-1, 1} {
			if open[cell+up] && open[cell+side] && open[cell+up+side] {
				return true
			}
		}
	}
	return false
}

// roomPlan describes rows of rectangular rooms, parted by walls that are one cell thick and may have one door.
type roomPlan struct {
	heights []int   // of each row of rooms, in cells
	widths  [][]int // of each room, in cells; rows of rooms may be parted differently
	// Doors, one character per room: how many cells the door in the room's east (south) wall is from the room's upper
	// (left) end, '.' for no door. The last room of a row has no entry in east, the last row of rooms none in south.
	east, south []string
}

// squareRooms describes rows×cols rooms of side×side cells.
func squareRooms(rows, cols, side int, east, south []string) *roomPlan {
	plan := &roomPlan{east: east, south: south}
	for range rows {
		widths := make([]int, cols)
		for i := range widths {
			widths[i] = side
		}
		plan.heights = append(plan.heights, side)
		plan.widths = append(plan.widths, widths)
	}
	return plan
}

// build opens the rooms and their doors in a rectangle of walls.
func (p *roomPlan) build(name string) *Grid {
	rows, cols := 1, 1
	for _, h := range p.heights {
		rows += h + 1
	}
	for _, w := range p.widths[0] {
		cols += w + 1
	}
	open := make([]bool, rows*cols)
	top := 1
	for r, height := range p.heights {
		left := 1
		for c, width := range p.widths[r] {
			for row := top; row < top+height; row++ {
				for col := left; col < left+width; col++ {
					open[row*cols+col] = true
				}
			}
			if c+1 < len(p.widths[r]) && p.east[r][c] != '.' {
				open[(top+int(p.east[r][c]-'0'))*cols+left+width] = true
			}
			if r+1 < len(p.heights) && p.south[r][c] != '.' {
				open[(top+height)*cols+left+int(p.south[r][c]-'0')] = true
			}
			left += width + 1
		}
		top += height + 1
	}
	return newGrid(name, rows, cols, open)
}
