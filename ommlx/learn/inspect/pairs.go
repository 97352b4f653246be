// Package inspect examines what package learn is given: samples of a process for what violates the assumptions of
// learn.Pairs ([Pairs.Remarks]), and points for outliers and rounding ([Outliers], [Coarse]).
//
// A remark is one sentence with a symptom, its cause and a remedy, or "" if there is none.
package inspect

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Pairs are pairs (x, x') of states of a process, x' a lag after x.
type Pairs struct {
	From, To mat.Matrix // x and x', N×D, one pair per row
	Weights  []float64  // of the pairs; nil: equal
	States   bool       // x and x' are state numbers, with D = 1
	Lag      int        // frames from x to x'
	Parts    []Part     // trajectories that hold the pairs, in order; nil: unknown
}

// Part is a run of consecutive pairs of a trajectory, without gaps, from frame First on.
type Part struct{ Trajectory, First, Pairs int }

const maxColumns = 24 // coordinates that are examined

// Remarks returns what the pairs violate of the assumptions of learn.Pairs: that the process is stationary, which
// explains most other symptoms; that it is reversible; and that its largest eigenvalues are of interest.
func (p Pairs) Remarks() (changing string, others []string) {
	drift := ""
	if p.Parts != nil && p.Weights == nil {
		drift = p.drift()
	}
	moved, turned, opposed := p.moments()
	if changing = cmp.Or(p.monotone(), drift, moved); changing != "" {
		return changing, []string{opposed}
	}
	return "", []string{turned, opposed}
}

const (
	minMonotone = 20   // steps in one direction, that a coordinate takes by chance
	maxReturned = 0.02 // of its rises that a coordinate falls back again
)

// monotone remarks on a coordinate that rises or falls throughout, or changes only between trajectories. In a
// stationary process, rises and falls are equal.
func (p Pairs) monotone() string {
	n, d := p.From.Dims()
	for j := range min(d, maxColumns) {
		var up, down float64
		steps, differs := 0, false
		for i := range n {
			step := p.To.At(i, j) - p.From.At(i, j)
			if up, down = up+max(0, step), down+max(0, -step); step != 0 {
				steps++
			}
			differs = differs || p.From.At(i, j) != p.From.At(0, j)
		}
		switch {
		case steps == 0 && differs && len(p.Parts) > 1:
			return fmt.Sprintf("coordinate %d is constant in each trajectory, as its number is, so the value 1 occurs "+
				"again; leave it out", j)
		case steps >= minMonotone && min(up, down) <= maxReturned*max(up, down):
			return fmt.Sprintf("the trajectories are not stationary: coordinate %d only rises or only falls, as a "+
				"time or a count does; leave it out, or use frames in equilibrium", j)
		}
	}
	return ""
}
