package gridworld

import (
	"math/rand/v2"
	"slices"
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
	inside := func(cell int) bool {
		row, col := cell/p.cols, cell%p.cols
		return row >= 1 && col >= 1 && row <= lastCell(p.rows) && col <= lastCell(p.cols)
	}
	path, states := []int{p.cols + 1}, 1
	open[path[0]] = true
	for len(path) > 0 && states+2 <= p.states {
		at, stuck := path[len(path)-1], true
		for _, i := range rng.Perm(4) {
			step := [4]int{-p.cols, p.cols, -1, 1}[i]
			if next := at + 2*step; inside(next) && !open[next] {
				open[at+step], open[next] = true, true
				path, states, stuck = append(path, next), states+2, false
				break
			}
		}
		if stuck {
			path = path[:len(path)-1]
		}
	}
	for ; states < p.states; states++ {
		var candidates []int
		for cell := range open {
			if inside(cell) && !open[cell] && fits(open, cell, p.cols) {
				candidates = append(candidates, cell)
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

// fits tells whether a cell inside has an open neighbour, and opening it completes no 2×2 block of open cells.
func fits(open []bool, cell, cols int) bool {
	for _, up := range [2]int{-cols, cols} {
		for _, side := range [2]int{-1, 1} {
			if open[cell+up] && open[cell+side] && open[cell+up+side] {
				return false
			}
		}
	}
	return open[cell-cols] || open[cell+cols] || open[cell-1] || open[cell+1]
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
	widths := slices.Repeat([]int{side}, cols)
	return &roomPlan{slices.Repeat([]int{side}, rows), slices.Repeat([][]int{widths}, rows), east, south}
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
