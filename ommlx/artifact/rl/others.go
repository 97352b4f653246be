package rl

import "fmt"

// OtherScores stand beside an average cosine similarity: means over the runs that did not diverge and have the score,
// nil where none has.
type OtherScores struct {
	Rotated *float64 `json:"rotated,omitempty"` // as the ALLO code judges
	Ritz    *float64 `json:"ritz,omitempty"`    // after a Ritz step
	Data    *float64 `json:"data,omitempty"`    // of the eigenfunctions of the runs' own data
}

func (r *Result) otherScores() (o OtherScores) {
	o.Rotated, _ = r.over(func(run Run) *Scores { return run.Rotated }).Numbers()
	o.Ritz, _ = r.over(ritzOf).Numbers()
	o.Data, _ = r.over(func(run Run) *Scores { return run.Data }).Numbers()
	return o
}

func ritzOf(run Run) *Scores { return run.Ritz }

// otherHeader names the columns of [OtherScores.cells].
func otherHeader() []string {
	return []string{"as the ALLO code judges", "after a Ritz step", "eigenfunctions of the data"}
}

func (o OtherScores) cells() []string {
	return []string{optional(o.Rotated), optional(o.Ritz), optional(o.Data)}
}

// optional writes a number that may not be there, with four digits.
func optional(x *float64) string { return optionalTo(4, x) }

// optionalTo writes it with that many digits.
func optionalTo(digits int, x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, *x)
}
