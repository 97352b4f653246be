package report

import (
	"math"
)

// Agreement is what a rule says of our number beside the paper's.
type Agreement string

// The agreements.
const (
	Reproduced Agreement = "reproduced"
	Differs    Agreement = "differs"
	Diverged   Agreement = "all runs diverged" // at the paper's scale, which is no agreement either
	NotAtScale Agreement = "not run at paper scale"
)

// Against compares our mean with the paper's. At the paper's scale they agree when they differ by at most two standard
// deviations; the deviations of both sets of runs are added in quadrature, and 0.01 is the least difference that
// counts. A single run has no deviation of its own and agrees with nothing: it counts as not run at scale.
func (s Spread) Against(paper, paperStd float64, atScale bool) Agreement {
	switch {
	case !atScale:
		return NotAtScale
	case math.IsNaN(s.Mean):
		return Diverged
	case s.Runs < 2:
		return NotAtScale
	case math.Abs(s.Mean-paper) <= max(0.01, 2*math.Hypot(s.Std, paperStd)):
		return Reproduced
	}
	return Differs
}
