package gridworld

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
