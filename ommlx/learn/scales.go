package learn

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// tooFew reports pairs that are not more than their coordinates, which any linear function fits.
func (o Pairs) tooFew() string {
	n, d := o.From.Dims()
	if n > d {
		return ""
	}
	return fmt.Sprintf("%s of %s cannot be told from noise, since a linear function takes any values on them; use more "+
		"pairs or fewer coordinates, or check that frames are rows", say.Count(n, "pair"), say.Count(d, "coordinate"))
}

// outliers reports a coordinate most of whose variance is due to a few values, such as marks of missing numbers.
func (o Pairs) outliers() string {
	n, d := o.From.Dims()
	for j := range d {
		x := mat.Col(nil, j, o.From)
		sorted := slices.Sorted(slices.Values(x))
		at := func(q float64) float64 { return stat.Quantile(q, stat.Empirical, sorted, nil) }
		middle, size := at(0.5), (at(0.9)-at(0.1))/2.56
		if size == 0 {
			continue
		}
		worst := 0
		var rest []float64
		for p, v := range x {
			if math.Abs(v-middle) <= outlying*size {
				rest = append(rest, v)
			}
			if math.Abs(v-middle) > math.Abs(x[worst]-middle) {
				worst = p
			}
		}
		all, without := stat.StdDev(x, nil), stat.StdDev(rest, nil)
		if count := n - len(rest); count > 0 && float64(count) <= rare*float64(n)+1 && all > dull*without {
			return fmt.Sprintf("coordinate %d is %.4g %s, %.0f standard deviations from the mean; without %d such values "+
				"of %d its standard deviation is %.3g instead of %.3g; if they mark missing numbers, replace them by NaN "+
				"in Trajectories", j, x[worst], o.where(worst), math.Abs(x[worst]-stat.Mean(x, nil))/all, count, n,
				without, all)
		}
	}
	return ""
}

// where names the frame or the row of the start of a pair.
func (o Pairs) where(pair int) string {
	if o.made != nil {
		for i, run := range o.made.runs() {
			if pair < run {
				part := o.made.parts[i]
				return fmt.Sprintf("in frame %d of x[%d]", part.first+pair, part.trajectory)
			}
			pair -= run
		}
	}
	return fmt.Sprintf("in row %d of From", pair)
}

// unresolved reports coordinates of the caller's own functions that float32 rounds too much. Default networks take
// coordinates that are standardised in float64.
func (o Pairs) unresolved() string {
	if o.Functions == nil {
		return ""
	}
	return unresolved(o.From)
}

func unresolved(points mat.Matrix) string {
	_, d := points.Dims()
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, points), nil)
		if deviation > 0 && math.Abs(mean)*rounding > resolved*deviation {
			return fmt.Sprintf("coordinate %d has mean %.4g and standard deviation %.2g, which float32 rounds to steps of "+
				"%.1g; subtract the mean", j, mean, deviation, math.Abs(mean)*rounding)
		}
	}
	return ""
}

// scales says what to do if the caller's own functions diverge because of the scales of the coordinates.
func (o Pairs) scales() string {
	if o.Functions == nil || isDiscrete(o.Functions) {
		return ""
	}
	_, d := o.From.Dims()
	var bad []string
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, o.From), nil)
		if math.Abs(mean) > uneven || deviation > uneven {
			bad = append(bad, fmt.Sprintf("coordinate %d has mean %.3g and standard deviation %.3g", j, mean, deviation))
		}
	}
	if bad == nil {
		return ""
	}
	return strings.Join(bad[:min(3, len(bad))], ", ") + ": give the functions standardised coordinates, with mean 0 and " +
		"standard deviation 1"
}

// alternates reports a coordinate that tends to change sign within a lag: T then has an eigenvalue at or below its
// correlation, at the end of the spectrum that is not learned.
func (o Pairs) alternates() string {
	from, to, _ := o.standardisedTogether()
	n, d := o.From.Dims()
	for j := range min(d, premiseColumns) {
		if r := stat.Correlation(mat.Col(nil, j, from), mat.Col(nil, j, to), nil); r < alternating && -r*math.Sqrt(float64(n)) > certain {
			return fmt.Sprintf("coordinate %d has a correlation of %.2g with itself a lag later, so an eigenvalue is "+
				"at most %.2g; the largest eigenvalues, which are learned, do not include it: use twice the lag, which "+
				"squares the eigenvalues, or Joint, for their absolute values", j, r, r)
		}
	}
	return ""
}
