// Package gridworld has the twelve grid environments of the paper's section 3.1, their exact transition matrix under
// the uniform random policy, the data that an agent following that policy collects, and the score of learned functions.
package gridworld

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// Grid is a rectangle of cells; each cell is a wall or a state, and every border is a wall. States are numbered 0…N−1
// in row-major order. An agent has four moves; a move into a wall leaves it in place.
type Grid struct {
	Name       string
	Rows, Cols int

	layout string                 // the official layout file: one line per row, wall 'X', state ' '
	places []int                  // of each state in layout
	next   []int32                // N×4: the states after up, down, left, right
	world  func() (*World, error) // computed once, in seconds on the large grids
}

// newGrid numbers the states of a layout.
func newGrid(name, layout string) *Grid {
	line := strings.Index(layout, "\n") + 1
	g := &Grid{Name: name, Rows: len(layout) / line, Cols: line - 1, layout: layout}
	state := map[int]int32{}
	for at, cell := range layout {
		if cell == ' ' {
			state[at] = int32(len(g.places))
			g.places = append(g.places, at)
		}
	}
	for s, at := range g.places {
		for _, move := range []int{-line, line, -1, 1} {
			to, open := state[at+move]
			if !open {
				to = int32(s)
			}
			g.next = append(g.next, to)
		}
	}
	g.world = sync.OnceValues(func() (*World, error) {
		p := g.Transition()
		truth, err := spectral.SymEigen(p)
		return &World{g, p, truth}, err
	})
	return g
}

// gridsText has the layouts of the twelve environments; its header describes the format, the source and the licence.
//
//go:embed grids.txt
var gridsText string

// All returns the twelve environments in the order of the paper's figure 1.
var All = sync.OnceValue(func() (all []*Grid) {
	paragraphs := strings.Split(strings.TrimSpace(gridsText), "\n\n")
	for _, text := range paragraphs[1:] { // after the header
		name, layout, _ := strings.Cut(text, "\n")
		all = append(all, newGrid(name, layout+"\n"))
	}
	return all
})

// Names returns the names of the twelve environments in the order of the paper's figure 1.
func Names() []string { return xslices.Map(All(), func(g *Grid) string { return g.Name }) }

// Load returns an environment by name.
func Load(name string) (*Grid, error) {
	for _, g := range All() {
		if g.Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("gridworld: no environment %q; use one of %s", name, strings.Join(Names(), ", "))
}

// World is an environment with its exact spectrum.
type World struct {
	Grid  *Grid
	P     *mat.SymDense       // transition matrix, N×N
	Truth spectral.Eigenpairs // spectrum of P
}

// LoadWorld returns an environment and the spectrum of its transition matrix, computed once per process.
func LoadWorld(name string) (*World, error) {
	g, err := Load(name)
	if err != nil {
		return nil, err
	}
	return g.world()
}

// GapAtTop returns the smallest distance between distinct eigenvalues among the top k, which makes an instance hard:
// learning must resolve it to tell two modes apart. It is +Inf if the top k has a single eigenvalue. If k exceeds the
// number of modes, all modes count.
func (w *World) GapAtTop(k int) float64 {
	gap := math.Inf(1)
	for i := 1; i < min(k, len(w.Truth.Values)); i++ {
		if d := w.Truth.Values[i-1] - w.Truth.Values[i]; d > w.Truth.Tolerance {
			gap = min(gap, d)
		}
	}
	return gap
}

// N returns the number of states.
func (g *Grid) N() int { return len(g.places) }

// Cell returns the row and column, from 0, of state s, which must be in 0…N−1.
func (g *Grid) Cell(s int) (row, col int) {
	return g.places[s] / (g.Cols + 1), g.places[s] % (g.Cols + 1)
}

// String returns the layout in the format of the official files: one line per row, wall 'X', state ' '.
func (g *Grid) String() string { return g.layout }

// Lines returns the lines of [Grid.String].
func (g *Grid) Lines() []string { return strings.Split(strings.TrimSuffix(g.layout, "\n"), "\n") }

// Coordinates returns the network's inputs, N×2 flattened by rows: (row/Rows − 1/2, col/Cols − 1/2) of each state, as
// in the ALLO code (Gomez, Bowling, Machado, ICLR 2024).
func (g *Grid) Coordinates() []float32 {
	xy := make([]float32, 0, 2*g.N())
	for s := range g.N() {
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
	for s := range g.N() {
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
	var moves [][2]int
	for i, to := range g.next {
		moves = append(moves, [2]int{i / 4, int(to)})
	}
	return linalg.Components(g.N(), moves)
}
