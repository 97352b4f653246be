package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
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
