package pde

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Result is the result of an [Experiment]. Its history has the mean relative error of the energies of each run. Its
// picture is the first run's ψ, one list for each mode with four digits, on a [schrodinger.Grid] of pictureSide points
// per axis over the system's region.
type Result = run.Result[Experiment, Run]

// Run is one run and its scores, by its averaged parameters if there are any.
type Run struct {
	Seed      int64     `json:"seed"`
	Diverged  int       `json:"diverged_at_step,omitempty"`
	Note      string    `json:"note,omitempty"`
	Energies  []float64 `json:"energies"`           // of H, [k], by Rayleigh quotients
	Errors    []float64 `json:"relative_errors"`    // of the energies, [k]
	Angles    []float64 `json:"angle_distances"`    // radians, [k]
	Subspaces []float64 `json:"subspace_distances"` // of each eigenspace
	Norms     []float64 `json:"norms"`              // of ψ, [k]
}

// pictureSide is the number of points per axis of a picture, which is interpolated between them.
const pictureSide = 32

// Outcome implements [run.Judged].
func (r Run) Outcome() run.Outcome {
	o := run.Outcome{Seed: r.Seed, Diverged: r.Diverged, Score: "not judged", Value: math.NaN()}
	if len(r.Errors) > 0 {
		o.Value = stat.Mean(r.Errors, nil)
		o.Score = fmt.Sprintf("mean relative error of the energies %.4f over %d modes", o.Value, len(r.Errors))
	}
	return o
}

// Energies formats the learned energy of each mode, over the runs that did not diverge, with the given number of
// digits.
func Energies(r *Result, digits int) (texts []string) {
	for _, s := range perMode(r, func(run Run) []float64 { return run.Energies }) {
		texts = append(texts, s.Text(digits))
	}
	return texts
}

// Wrong lists the modes, counted from 1, that are wrong in the mean over the runs that did not diverge: the relative
// error of the energy exceeds share, or the function is farther than the given radians from the true eigenspace.
func Wrong(r *Result, share, radians float64) (energies, functions []int) {
	above := func(limit float64, spreads []report.Spread) (modes []int) {
		for i, s := range spreads {
			if s.Mean > limit {
				modes = append(modes, i+1)
			}
		}
		return modes
	}
	return above(share, perMode(r, energyErrors)), above(radians, perMode(r, angles))
}

// perMode returns the spread of of(run) over the runs that did not diverge, for each mode or eigenspace, or nil if all
// runs diverged.
func perMode(r *Result, of func(Run) []float64) (spreads []report.Spread) {
	runs := r.Finished()
	if len(runs) == 0 {
		return nil
	}
	for i := range of(runs[0]) {
		spreads = append(spreads, report.Over(r, func(run Run) float64 { return of(run)[i] }))
	}
	return spreads
}

// overRuns returns the spread, over the runs that did not diverge, of the mean of of(run) over modes or eigenspaces.
func overRuns(r *Result, of func(Run) []float64) report.Spread {
	return report.Over(r, func(run Run) float64 { return stat.Mean(of(run), nil) })
}

// digits rounds values in place to four digits, which suffice for a picture and keep files small. NaN and infinite
// values, as in a diverged run, become 0, because JSON cannot represent them.
func digits(values []float64) []float64 {
	for i, v := range values {
		values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 3, 64), 64)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			values[i] = 0
		}
	}
	return values
}
