package inspect

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/say"
)

const (
	maxShare     = 0.02    // of the values that are outliers
	minWidening  = 10      // factor by which outliers enlarge the deviation
	maxStep      = 1e-3    // rounding of float32 relative to the deviation
	maxSize      = 100     // mean or deviation that a training tolerates
	float32Steps = 1 << 23 // in the range from 1 to 2
)

// Outliers remarks on a coordinate of points, N×D, most of whose variance is due to a few values, such as marks of
// missing numbers. where names a row.
func Outliers(points mat.Matrix, where func(row int) string) string {
	n, d := points.Dims()
	for j := range d {
		x := mat.Col(nil, j, points)
		sorted := slices.Sorted(slices.Values(x))
		away := func(v float64) float64 { return math.Abs(v - sorted[(n-1)/2]) } // from the median
		most := n - 1 - int(maxShare*float64(n))
		first := sort.Search(n-most, func(i int) bool { return away(sorted[i]) <= away(sorted[i+most]) })
		mean, all := stat.MeanStdDev(x, nil)
		without := stat.StdDev(sorted[first:first+most], nil)
		if without > 0 && all > minWidening*without {
			count := floats.Count(func(v float64) bool { return away(v) > minWidening*without }, x)
			worst := sorted[0]
			if away(sorted[n-1]) > away(worst) {
				worst = sorted[n-1]
			}
			return fmt.Sprintf("coordinate %d is %.4g in %s, %.0f standard deviations from the mean; %s like it "+
				"enlarge the standard deviation from %.3g to %.3g; if they mark missing numbers, leave them out, or "+
				"in Trajectories replace them by NaN", j, worst, where(slices.Index(x, worst)),
				math.Abs(worst-mean)/all, say.Count(count, "value"), without, all)
		}
	}
	return ""
}

// Coarse remarks on a coordinate that float32 rounds too much. The default networks of package learn take coordinates
// that are standardised in float64.
func Coarse(points mat.Matrix) string {
	return scale(points, func(mean, deviation float64) bool {
		return deviation > 0 && math.Abs(mean)/float32Steps > maxStep*deviation
	})
}

// Unscaled remarks on a coordinate that may make functions of points diverge.
func Unscaled(points mat.Matrix) string {
	return scale(points, func(mean, deviation float64) bool { return max(math.Abs(mean), deviation) > maxSize })
}

// scale remarks on a coordinate with such a mean and standard deviation.
func scale(points mat.Matrix, bad func(mean, deviation float64) bool) string {
	_, d := points.Dims()
	for j := range d {
		if mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, points), nil); bad(mean, deviation) {
			return fmt.Sprintf("coordinate %d has mean %.4g and standard deviation %.2g, and float32 rounds it to "+
				"steps of %.1g; standardise the coordinates", j, mean, deviation, math.Abs(mean)/float32Steps)
		}
	}
	return ""
}
