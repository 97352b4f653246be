package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"omm-go/ommlx/artifact/run"
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
		s.Mean, s.Std = stat.MeanStdDev(values, nil) // the deviation of one value is NaN
	}
	return s
}

// Over returns the spread of a number over the runs of a result that did not diverge.
func Over[E any, R run.Evaluated](r *run.Decoded[E, R], of func(R) float64) Spread {
	var all []float64
	for _, run := range r.Finished() {
		all = append(all, of(run))
	}
	return SpreadOf(all)
}

// Numbers returns mean and deviation for JSON, with nil for NaN.
func (s Spread) Numbers() (mean, std *float64) { return Number(s.Mean), Number(s.Std) }

// FromNumbers is the inverse of [Spread.Numbers], without the number of runs.
func FromNumbers(mean, std *float64) Spread { return Spread{Mean: OrNaN(mean), Std: OrNaN(std)} }

// Number returns &x, or nil if x is not finite, which JSON cannot express.
func Number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// OrNaN returns *x, or NaN for nil.
func OrNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// Optional formats a number with the given digits after the point, nil as "".
func Optional(digits int, x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, *x)
}

// String formats the spread with four digits, for a table.
func (s Spread) String() string {
	if s.Runs == 1 && !math.IsNaN(s.Mean) {
		return s.Text(4) + " (1 run)"
	}
	return s.Text(4)
}

// Text formats mean ± deviation with the given digits after the point; a single run has no deviation.
func (s Spread) Text(digits int) string {
	switch {
	case math.IsNaN(s.Mean):
		return "all runs diverged"
	case math.IsNaN(s.Std):
		return fmt.Sprintf("%.*f", digits, s.Mean)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, s.Mean, digits, s.Std)
}

// The constants of [Rule].
const (
	confidence = 0.95
	negligible = 0.01 // the smallest difference that counts
	resolution = 0.05 // half width above which an interval that contains 0 is undecided
	// singleRunMargin is the smallest difference of a single run that counts. Its spread is unknown; pairs of our runs
	// of one configuration at k = 50 differed by up to 0.161, 0.067 and 0.062.
	singleRunMargin = 0.1
)

// Rule describes [Spread.Apart] for the note of a table. unit converts fractions to the table's unit: 1 or 100.
func Rule(unit float64) string {
	return fmt.Sprintf("Verdicts: the printed ± is read as one standard deviation over runs; d is our mean less the "+
		"printed one, with Welch's %.0f%% interval. Holds: the interval contains 0, or |d| is at most %g. Not "+
		"reproduced: neither. Undecided: the interval contains 0 but is wider than ±%g. The spread of a single run of "+
		"ours is unknown; it counts as not reproduced only outside the prediction interval for one more run of the "+
		"paper's and if |d| is more than %g, and is undecided otherwise.",
		100*confidence, unit*negligible, unit*resolution, unit*singleRunMargin)
}

// Apart returns the distance |d| of two means, the bound up to which they agree, and whether the interval is too wide
// to decide; see [Rule]. If all runs diverged, the mean is NaN and the distance +Inf.
func (s Spread) Apart(paper Spread) (distance, bound float64, open bool) {
	if math.IsNaN(s.Mean) {
		return math.Inf(1), negligible, false
	}
	d, half := s.Minus(paper)
	if math.IsNaN(d) || math.IsNaN(half) {
		return 0, negligible, true
	}
	distance, bound = math.Abs(d), max(half, negligible)
	if s.Runs == 1 {
		bound = max(bound, singleRunMargin)
		return distance, bound, distance <= bound
	}
	return distance, bound, distance <= half && half > resolution
}

// Minus returns the difference d of two means, s minus other, and half of the width of its interval
//
//	d ± t_ν √(σ²/n + σ'²/n'),  ν = (σ²/n + σ'²/n')² / ((σ²/n)²/(n−1) + (σ'²/n')²/(n'−1)),
//
// with t_ν the quantile of Student's distribution at 97.5% (Welch 1947). A side with a single run gets the other side's
// deviation, which gives the prediction interval of that run with ν = n − 1 of the other side; with single runs on both
// sides half is +Inf.
func (s Spread) Minus(other Spread) (d, half float64) {
	a, b, d := s.square(other), other.square(s), s.Mean-other.Mean
	freedom := float64(max(s.Runs, other.Runs) - 1)
	if freedom < 1 {
		return d, math.Inf(1)
	}
	if min(s.Runs, other.Runs) > 1 && a+b > 0 {
		freedom = (a + b) * (a + b) / (a*a/float64(s.Runs-1) + b*b/float64(other.Runs-1))
	}
	return d, math.Sqrt(a+b) * Quantile(freedom)
}

// Quantile returns Student's t at 97.5% with ν degrees of freedom, or +Inf for ν < 1.
func Quantile(freedom float64) float64 {
	if !(freedom >= 1) {
		return math.Inf(1)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1 + confidence) / 2)
}

// square returns the squared standard error of the mean, σ²/n; for a single run it is the other side's σ².
func (s Spread) square(other Spread) float64 {
	if s.Runs > 1 {
		return s.Std * s.Std / float64(s.Runs)
	}
	return other.Std * other.Std
}
