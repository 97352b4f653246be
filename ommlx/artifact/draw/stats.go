package draw

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// meanStd returns the mean of the runs and their sample standard deviation
//
//	σ = sqrt( Σ (x_i − x̄)² / (n − 1) ).
//
// One run has no spread: σ is then NaN, and a figure draws no whisker. It is an error if there are no runs, or if a
// value is not finite.
func meanStd(runs []float64) (mean, std float64, err error) {
	if len(runs) == 0 {
		return 0, 0, errors.New("no runs to average")
	}
	for i, x := range runs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, 0, fmt.Errorf("run %d is %v, which is not a finite number", i+1, x)
		}
	}
	if len(runs) == 1 {
		return runs[0], math.NaN(), nil
	}
	mean, std = stat.MeanStdDev(runs, nil)
	return mean, std, nil
}
