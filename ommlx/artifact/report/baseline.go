package report

import (
	"fmt"
	"math"
)

// Scored is the accuracy of a row of a table over its runs, in per cent.
type Scored struct {
	Name     string
	Baseline bool
	Spread
}

// AboveBaselines returns a sentence that counts the rows above the best baseline by more than two standard errors of
// the difference. what names the accuracy. Its variance is the sum of the variances over the tested samples and over
// runs. The sentence is empty without baselines.
func AboveBaselines(what string, rows []Scored, tested int) string {
	var best Scored
	for _, b := range rows {
		if b.Baseline && b.Mean > best.Mean {
			best = b
		}
	}
	if best.Name == "" {
		return ""
	}
	above, methods := 0, 0
	for _, r := range rows {
		if r.Baseline {
			continue
		}
		methods++
		if r.Mean-best.Mean > 2*math.Sqrt(r.variance(tested)+best.variance(tested)) {
			above++
		}
	}
	return fmt.Sprintf(" Above the best baseline %s (%s, %.1f) by more than two standard errors: %d of %d methods.", what,
		best.Name, best.Mean, above, methods)
}

// variance returns the variance of an accuracy in per cent on a number of test samples.
func (s Scored) variance(tested int) float64 {
	v := math.Pow(StandardError(s.Mean, tested), 2)
	if !math.IsNaN(s.Std) {
		v += s.Std * s.Std / float64(s.Runs)
	}
	return v
}

// StandardError returns the standard error, in points, of an accuracy in per cent on a number of test samples.
func StandardError(accuracy float64, tested int) float64 {
	return math.Sqrt(accuracy * (100 - accuracy) / float64(tested))
}
