package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/claims"
)

// Spread is the mean of a number over runs that did not diverge, and its sample standard deviation
//
//	σ = sqrt( Σ (x_i − x̄)² / (n − 1) ).
type Spread struct {
	Mean float64 // NaN without a run
	Std  float64 // NaN with fewer than two runs
	Runs int     // n
}

// SpreadOf returns the spread of values, one for each run. A value that is not finite makes both numbers NaN.
func SpreadOf(values []float64) Spread {
	s := Spread{math.NaN(), math.NaN(), len(values)}
	if len(values) > 0 {
		s.Mean, s.Std = stat.MeanStdDev(values, nil) // of one value gonum's deviation is NaN
	}
	return s
}

// Over is the spread of a number over the runs of a result that did not diverge.
func Over[E any, R lab.Judged](r *lab.Result[E, R], of func(R) float64) Spread {
	var all []float64
	for _, run := range r.Finished() {
		all = append(all, of(run))
	}
	return SpreadOf(all)
}

// Numbers returns mean and deviation as JSON has them: nil where there is none.
func (s Spread) Numbers() (mean, std *float64) { return number(s.Mean), number(s.Std) }

// FromNumbers is the spread that has these numbers.
func FromNumbers(mean, std *float64, runs int) Spread { return Spread{OrNaN(mean), OrNaN(std), runs} }

func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// OrNaN returns what x points to, NaN for nil.
func OrNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// Optional writes a number with that many digits after the point, and "" for nil.
func Optional(digits int, x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, *x)
}

// String writes the spread with four digits, for a table.
func (s Spread) String() string {
	if s.Runs == 1 && !math.IsNaN(s.Mean) {
		return s.Text(4) + " (1 run)"
	}
	return s.Text(4)
}

// Text writes mean ± deviation with that many digits after the point; a single run has no deviation.
func (s Spread) Text(digits int) string {
	switch {
	case math.IsNaN(s.Mean):
		return "all runs diverged"
	case math.IsNaN(s.Std):
		return fmt.Sprintf("%.*f", digits, s.Mean)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, s.Mean, digits, s.Std)
}

// The numbers of the rule.
const (
	confidence = 0.95
	trifle     = 0.01 // the least difference that counts
	resolution = 0.05 // an interval that contains 0 and reaches further tells nothing
	// singleRunMargin is what a single run must differ by. Its own spread is not known; between our runs of one
	// configuration deviations of up to 0.05 were seen at k = 50.
	singleRunMargin = 0.1
)

// Rule is the rule of [Spread.Against] in words, for the note of a table.
func Rule() string {
	return fmt.Sprintf("Verdicts: the paper's ± is read as one standard deviation over its runs; d is the mean "+
		"of our runs less the paper's, with Welch's %.0f%% interval. Reproduced: the interval contains 0, or |d| is "+
		"at most %g. Better, worse: it lies above or below 0. Cannot tell yet: it contains 0, but is wider than ±%g. "+
		"Of twenty cells in which nothing differs about one is called better or worse by chance. A single run of "+
		"ours, whose spread is not known, is better or worse if it is outside of the prediction interval for one "+
		"more run of the paper's and |d| is more than %g, and otherwise cannot tell.",
		100*confidence, trifle, resolution, singleRunMargin)
}

// Against compares the mean of our runs with that of the paper's, whose Std is its printed ±. What follows from their
// difference and its interval, see [Spread.Minus], is said by [Rule]. Larger numbers are better.
func (s Spread) Against(paper Spread, atScale bool) claims.Verdict {
	switch {
	case !atScale:
		return claims.NotAtScale
	case math.IsNaN(s.Mean):
		return claims.AllDiverged
	}
	d, half, counts := s.Minus(paper)
	switch {
	case math.IsNaN(d) || math.IsNaN(half):
		return claims.CannotTell
	case math.Abs(d) <= half && half > resolution, s.Runs == 1 && math.Abs(d) <= max(half, singleRunMargin):
		return claims.CannotTell
	case !counts:
		return claims.Reproduced
	case d > 0:
		return claims.Better
	}
	return claims.Worse
}

// Minus returns the difference d of two means, s minus other, and half of the width of its interval
//
//	d ± t_ν √(σ²/n + σ'²/n'),  ν = (σ²/n + σ'²/n')² / ((σ²/n)²/(n−1) + (σ'²/n')²/(n'−1)),
//
// with t_ν the quantile of Student's distribution at 97.5% (Welch 1947). Where one side has a single run, and so no
// deviation of its own, it is taken to have the other's, which makes this the prediction interval of that run with
// ν = n − 1 of the other side; where both have, half is +Inf. A difference counts that is larger than half and 0.01.
func (s Spread) Minus(other Spread) (d, half float64, counts bool) {
	d, half = s.Mean-other.Mean, s.halfWidth(other)
	return d, half, math.Abs(d) > max(half, trifle)
}

func (s Spread) halfWidth(other Spread) float64 {
	a, b := s.square(other), other.square(s)
	freedom := float64(max(s.Runs, other.Runs) - 1)
	if freedom < 1 {
		return math.Inf(1)
	}
	if min(s.Runs, other.Runs) > 1 && a+b > 0 {
		freedom = (a + b) * (a + b) / (a*a/float64(s.Runs-1) + b*b/float64(other.Runs-1))
	}
	return math.Sqrt(a+b) * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2)
}

// square is the square of the standard error of the mean, σ²/n; of a single run it is σ² of the other side.
func (s Spread) square(other Spread) float64 {
	if s.Runs > 1 {
		return s.Std * s.Std / float64(s.Runs)
	}
	return other.Std * other.Std
}
