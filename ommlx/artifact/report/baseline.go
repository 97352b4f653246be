package report

import (
	"fmt"
	"math"
	"strings"
)

// Scored is the accuracy of a row of a table over its runs, in per cent.
type Scored struct {
	Name     string
	Baseline bool
	Spread
}

// AboveBaselines returns a sentence that lists the rows above the best baseline by more than two standard errors of the
// difference. what names the accuracy. Its variance is the sum of the variances over the tested samples and over runs.
// The sentence is empty without baselines or other rows.
func AboveBaselines(what string, rows []Scored, tested int) string {
	var best Scored
	for _, b := range rows {
		if b.Baseline && b.Mean > best.Mean {
			best = b
		}
	}
	var above, not []string
	for _, r := range rows {
		switch {
		case r.Baseline:
		case r.Mean-best.Mean > 2*math.Sqrt(r.variance(tested)+best.variance(tested)):
			above = append(above, r.Name)
		default:
			not = append(not, r.Name)
		}
	}
	which := strings.Join(above, ", ")
	switch {
	case best.Name == "" || len(above)+len(not) == 0:
		return ""
	case len(above) == 0:
		which = "none of the methods"
	case len(not) == 0:
		which = "all methods"
	case len(above) > len(not):
		which = "all methods but " + strings.Join(not, ", ")
	}
	return fmt.Sprintf(" Above the best baseline %s (%s, %.1f) by more than two standard errors: %s.", what, best.Name,
		best.Mean, which)
}

// variance returns the variance of an accuracy in per cent on a number of test samples.
func (s Scored) variance(tested int) float64 {
	v := s.Mean * (100 - s.Mean) / float64(tested)
	if !math.IsNaN(s.Std) {
		v += s.Std * s.Std / float64(s.Runs)
	}
	return v
}

// StandardError returns the standard error, in points, of an accuracy in per cent on a number of test samples.
func StandardError(accuracy float64, tested int) float64 {
	return math.Sqrt(accuracy * (100 - accuracy) / float64(tested))
}
