package rl

import (
	"fmt"

	"operator-omm/ommlx/artifact/report"
)

// Scored is what a row of a figure or table says of a result: mean and sample standard deviation of the average cosine
// similarity over the runs that did not diverge, nil where there is none, and other scores.
type Scored struct {
	Mean *float64 `json:"mean,omitempty"`
	Std  *float64 `json:"std,omitempty"`
	OtherScores
}

// OtherScores stand beside an average cosine similarity: means over the runs that did not diverge and have the score,
// nil where none has.
type OtherScores struct {
	Rotated *float64 `json:"rotated,omitempty"` // as the ALLO code judges
	Ritz    *float64 `json:"ritz,omitempty"`    // after a Ritz step
	Data    *float64 `json:"data,omitempty"`    // of the eigenfunctions of the runs' own data
}

func score(r *Result) (s Scored) {
	s.Mean, s.Std = report.SpreadOf(averages(r)).Numbers()
	s.Rotated = meanOf(r, func(run Run) *Scores { return run.Rotated })
	s.Ritz = meanOf(r, func(run Run) *Scores { return run.Ritz })
	s.Data = meanOf(r, func(run Run) *Scores { return run.Data })
	return s
}

// averages are the average cosine similarities of the runs that did not diverge.
func averages(r *Result) (all []float64) {
	for _, run := range r.Finished() {
		all = append(all, run.Average)
	}
	return all
}

// meanOf is the mean of the averages of a score over the runs that did not diverge and have it; nil where none has.
func meanOf(r *Result, of func(Run) *Scores) *float64 {
	var all []float64
	for _, run := range r.Finished() {
		if s := of(run); s != nil {
			all = append(all, s.Average)
		}
	}
	mean, _ := report.SpreadOf(all).Numbers()
	return mean
}

// spread is that of the runs of a result that did not diverge; nil has none.
func (s Scored) spread(r *Result) report.Spread {
	runs := 0
	if r != nil {
		runs = len(r.Finished())
	}
	return report.FromNumbers(s.Mean, s.Std, runs)
}

// tally writes how many runs a result has, and how many of them diverged.
func tally(r *Result) string {
	if n := len(r.Runs) - len(r.Finished()); n > 0 {
		return fmt.Sprintf("%d, %d diverged", len(r.Runs), n)
	}
	return fmt.Sprint(len(r.Runs))
}

// otherHeader names the columns of [OtherScores.cells].
func otherHeader() []string {
	return []string{"as the ALLO code judges", "after a Ritz step", "eigenfunctions of the data"}
}

func (o OtherScores) cells() []string {
	return []string{optional(4, o.Rotated), optional(4, o.Ritz), optional(4, o.Data)}
}

// optional writes a number that may not be there, with that many digits.
func optional(digits int, x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, *x)
}
