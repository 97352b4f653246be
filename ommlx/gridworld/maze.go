package gridworld

import "math/rand/v2"

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
		for r := 1; r <= p.rows-2; r++ {
			for c := 1; c <= p.cols-2; c++ {
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
