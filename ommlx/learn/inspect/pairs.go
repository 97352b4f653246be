// Package inspect examines what package learn is given: samples of a process for what violates the assumptions of
// learn.Pairs ([Pairs.Remarks]), points for outliers and rounding ([Outliers], [Coarse]), values for the events that
// they rest on ([FewEvents]), and potentials for their scales and for a lowest energy ([Estimate], [Bounded]).
//
// A remark is one sentence with a symptom, its cause and a remedy, or "" if there is none.
package inspect

import (
	"cmp"

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

// Remarks returns what the pairs violate of the assumptions of learn.Pairs: that the process is stationary and
// reversible, and that its largest eigenvalues are of interest.
func (p Pairs) Remarks() []string {
	drift := ""
	if p.Parts != nil && p.Weights == nil {
		drift = p.drift()
	}
	moved, turned, opposed := p.moments()
	return []string{cmp.Or(drift, moved, turned), opposed}
}
