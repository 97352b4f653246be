package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/say"
)

const (
	outlying    = 50       // robust standard deviations
	rare, dull  = .02, 10. // share of the values that are outliers, and the factor by which they enlarge the deviation
	resolved    = 1e-3     // rounding of float32 relative to the deviation
	alternating = -0.5     // correlation of a coordinate with itself a lag later
	uneven      = 100.     // ratio of a mean or deviation to 1 that training bears
)

// tooFew reports pairs that are not more than their coordinates.
func (o Pairs) tooFew() string {
	n, d := o.From.Dims()
	if n > d {
		return ""
	}
	return fmt.Sprintf("a linear function fits any values on %s of %s; use more pairs or fewer coordinates, or check "+
		"that frames are rows", say.Count(n, "pair"), say.Count(d, "coordinate"))
}

// outliers reports a coordinate of a named table most of whose variance is due to a few values, such as marks of
// missing numbers. The rows may be frames of trajectories.
func outliers(table string, points mat.Matrix, made path) string {
	n, d := points.Dims()
	for j := range d {
		x := mat.Col(nil, j, points)
		var some []float64 // estimate the deciles
		for i := 0; i < n; i += max(1, n/premiseRows) {
			some = append(some, x[i])
		}
		slices.Sort(some)
		at := func(q float64) float64 { return stat.Quantile(q, stat.Empirical, some, nil) }
		middle, size := at(0.5), (at(0.9)-at(0.1))/2.56
		far := func(v float64) bool { return size > 0 && math.Abs(v-middle) > outlying*size }
		worst := slices.IndexFunc(x, far)
		if worst < 0 {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(x), far)
		mean, all := stat.MeanStdDev(x, nil)
		count, without := n-len(rest), stat.StdDev(rest, nil)
		if float64(count) <= rare*float64(n)+1 && all > dull*without {
			return fmt.Sprintf("coordinate %d is %.4g in %s, %.0f standard deviations from the mean; %s like it "+
				"enlarge the standard deviation from %.3g to %.3g; if they mark missing numbers, leave them out, or "+
				"in Trajectories replace them by NaN", j, x[worst], made.where(worst, table),
				math.Abs(x[worst]-mean)/all, say.Count(count, "value"), without, all)
		}
	}
	return ""
}

// where names the frame at which a pair of [Trajectories] starts, or else the row of a table.
func (p path) where(row int, table string) string {
	pair := row
	for _, part := range p.parts {
		if pair < part.pairs && p.x != nil {
			return fmt.Sprintf("frame %d of x[%d]", part.first+pair, part.trajectory)
		}
		pair -= part.pairs
	}
	return fmt.Sprintf("row %d of %s", row, table)
}

// unresolved reports coordinates that float32 rounds too much. Default networks take coordinates that are standardised
// in float64.
func unresolved(points mat.Matrix) string {
	_, d := points.Dims()
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, points), nil)
		if step := math.Abs(mean) * rounding; deviation > 0 && step > resolved*deviation {
			return fmt.Sprintf("coordinate %d has mean %.4g and standard deviation %.2g, and float32 rounds it to "+
				"steps of %.1g; subtract the mean", j, mean, deviation, step)
		}
	}
	return ""
}

// unscaled says what to do if functions of points diverge because of the scales of the coordinates.
func unscaled(points mat.Matrix) string {
	_, d := points.Dims()
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, points), nil)
		if math.Abs(mean) > uneven || deviation > uneven {
			return fmt.Sprintf("coordinate %d has mean %.3g and standard deviation %.3g: standardise the "+
				"coordinates that your functions take", j, mean, deviation)
		}
	}
	return ""
}

// alternates reports a coordinate that tends to change sign within a lag: T then has an eigenvalue at or below its
// correlation, at the end of the spectrum that is not learned. Its arguments are from [Pairs.standardisedTogether].
func (o Pairs) alternates(from, to mat.Matrix, weights []float64) string {
	n, d := o.From.Dims()
	for j := range min(d, premiseColumns) {
		r := stat.Correlation(mat.Col(nil, j, from), mat.Col(nil, j, to), weights)
		if r < alternating && -r*math.Sqrt(float64(n)) > certain {
			return fmt.Sprintf("coordinate %d has the correlation %.2g with itself a lag later, so the least "+
				"eigenvalue is at most %.2g, and only the largest are learned; use twice the lag, which squares "+
				"eigenvalues, or Joint, for absolute values", j, r, r)
		}
	}
	return ""
}
