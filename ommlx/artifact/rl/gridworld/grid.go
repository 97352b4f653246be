// Package gridworld has the twelve grid environments of the paper's section 3.1, their exact transition matrix under
// the uniform random policy, and the data that an agent following that policy collects.
package gridworld

import (
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Grid is a rectangle of cells; each cell is a wall or a state. States are numbered 0…N−1 in row-major order. An agent
// has four moves; a move into a wall or off the rectangle leaves it in place.
type Grid struct {
	Name       string
	Rows, Cols int

	cells []int   // row·Cols + col of each state
	next  []int32 // N×4: the states after up, down, left, right
}

// newGrid numbers the open cells; open is rows×cols, row-major.
func newGrid(name string, rows, cols int, open []bool) *Grid {
	g := &Grid{Name: name, Rows: rows, Cols: cols}
	state := make([]int32, rows*cols)
	for cell, ok := range open {
		if ok {
			state[cell] = int32(len(g.cells))
			g.cells = append(g.cells, cell)
		}
	}
	g.next = make([]int32, 4*len(g.cells))
	for s := range g.cells {
		row, col := g.Cell(s)
		for move, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			r, c := row+d[0], col+d[1]
			to := int32(s)
			if r >= 0 && r < rows && c >= 0 && c < cols && open[r*cols+c] {
				to = state[r*cols+c]
			}
			g.next[4*s+move] = to
		}
	}
	return g
}

// N returns the number of states.
func (g *Grid) N() int { return len(g.cells) }

// Cell returns the row and column, from 0, of state s, which must be in 0…N−1.
func (g *Grid) Cell(s int) (row, col int) { return g.cells[s] / g.Cols, g.cells[s] % g.Cols }

// Coordinates returns the network's inputs, N×2 flattened by rows: (row/Rows − 1/2, col/Cols − 1/2) of each state, as
// in the ALLO code (Gomez, Bowling, Machado, ICLR 2024).
func (g *Grid) Coordinates() []float32 {
	xy := make([]float32, 0, 2*g.N())
	for s := range g.cells {
		row, col := g.Cell(s)
		xy = append(xy, float32(row)/float32(g.Rows)-0.5, float32(col)/float32(g.Cols)-0.5)
	}
	return xy
}

// Transition returns the N×N transition matrix of the uniform random policy,
//
//	P[s, s'] = ¼ · #{moves that lead from s to s'}.
//
// It is symmetric, because a move can be undone, and so doubly stochastic with a uniform stationary law.
func (g *Grid) Transition() *mat.SymDense {
	p := mat.NewSymDense(g.N(), nil)
	for s := range g.cells {
		for _, to := range g.next[4*s : 4*s+4] {
			if int(to) >= s { // the other half is its mirror image
				p.SetSym(s, int(to), p.At(s, int(to))+0.25)
			}
		}
	}
	return p
}

// Components returns the number of connected parts: the multiplicity of the eigenvalue 1 of [Grid.Transition]. It is 1
// for every environment except GridMaze-32, where 19 states are disconnected.
func (g *Grid) Components() int {
	seen := make([]bool, g.N())
	parts := 0
	for start := range seen {
		if !seen[start] {
			parts++
		}
		for stack := []int32{int32(start)}; len(stack) > 0; {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !seen[s] {
				seen[s] = true
				stack = append(stack, g.next[4*s:4*s+4]...)
			}
		}
	}
	return parts
}

// String returns the layout in the format of the official files: one line per row, wall 'X', state ' '.
func (g *Grid) String() string {
	text := []byte(strings.Repeat(strings.Repeat("X", g.Cols)+"\n", g.Rows))
	for s := range g.cells {
		row, col := g.Cell(s)
		text[row*(g.Cols+1)+col] = ' '
	}
	return string(text)
}
