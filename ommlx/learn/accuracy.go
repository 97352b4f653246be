package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
)

const (
	minResidual      = 1e-5 // of a complete training in float32, relative to the largest value
	radiusResidual   = 3e-7 // the same, relative to the spectral radius
	maxError         = 0.05 // possible error of a value, relative to it, that is not reported
	maxProvedError   = 0.01 // the same if bounds are proved
	minError         = 1e-6 // error that is reported, relative to the spectral radius
	minSampledError  = 1e-4 // the same for an operator without a known radius, relative to the largest value
	minMissed        = 1e-7 // distance to an eigenvalue that was missed, relative to the spectral radius
	minLearned       = 1e-4 // eigenvalue, relative to the spectral radius, that more steps can find
	maxResidualToGap = 0.5  // residual, relative to the gap, of functions that are separated
	maxDegenerate    = 1e-4 // distance of values of one level, relative to the spread of all
	maxTimesDefault  = 10   // learning rate or shift, relative to the default, above which it explains a failure
)

// incomplete describes values that may be off and functions that are not separated, with one remedy.
func (l *Learned) incomplete() string {
	parts := slices.DeleteFunc([]string{l.missedMost(), l.uncertain(), l.mixed()},
		func(part string) bool { return part == "" })
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + ": " + l.remedy()
}

// missedMost names the value that is furthest below an eigenvalue.
func (l *Learned) missedMost() string {
	worst, most := -1, 0.0
	for i, v := range l.Values {
		m := l.missed(i)
		if m > max(most, minMissed*l.radius) && m > min(maxResidualToGap*l.nearest(i), maxError*math.Abs(v)) {
			worst, most = i, m
		}
	}
	if worst < 0 {
		return ""
	}
	return fmt.Sprintf("value %d is %.6g, but this eigenvalue is at least %.6g", worst+1, l.Values[worst],
		l.Values[worst]+most)
}

// uncertain names values that may be off by too much.
func (l *Learned) uncertain() string {
	var off []int
	widest, limit, least := 0.0, maxError, minSampledError*l.scale()
	if l.Task.apply != nil { // bounds are proved
		limit, least = maxProvedError, minError*l.radius
	}
	for i, v := range l.Values {
		possible, gap := l.width(i), l.nearest(i) // possible error
		if len(l.Values) == 1 && l.Task.gap != nil {
			gap = l.Task.gap(v)
		}
		if !math.IsInf(gap, 1) { // the error is about residual²/gap if the function is separated
			possible = min(possible, l.Residuals[i]*l.Residuals[i]/max(gap, 0))
		}
		if l.isUncertain(i) && possible > max(limit*math.Abs(v), least) {
			off, widest = append(off, i), max(widest, l.width(i))
		}
	}
	if off == nil {
		return ""
	}
	return fmt.Sprintf("%s may be off by up to %.2g", numbered("value", off), widest)
}

// mixed names neighbours that the Ritz step did not separate. Their residuals r and s come from functions outside the
// span, at the gap g in the spectrum, and move the small matrix of the Ritz step by rs/g. That mixes neighbours at the
// distance d by rs/(gd), and by the larger residual over d if g is not known. Values that are nearly equal count as one
// degenerate level, in which mixtures are eigenfunctions too.
func (l *Learned) mixed() string {
	var mixed []int
	distance, residual := math.Inf(1), 0.0
	for i := range len(l.Values) - 1 {
		r, s, d := l.Residuals[i], l.Residuals[i+1], l.distance(i, i+1)
		mixing := max(r, s)
		if gap := math.Abs(l.Values[i+1] - l.edge); gap > 0 {
			mixing = min(mixing, r*s/gap)
		}
		if d < maxDegenerate*math.Abs(l.Values[0]-l.edge) {
			continue
		}
		if (l.isUncertain(i) || l.isUncertain(i+1)) && mixing > maxResidualToGap*d {
			mixed = append(mixed, i, i+1)
			distance, residual = min(distance, d), max(residual, r, s)
		}
	}
	if mixed == nil {
		return ""
	}
	return fmt.Sprintf("%s are not separated and may be mixtures of each other, since values differ by %.2g with "+
		"residuals of up to %.2g", numbered("function", mixed), distance, residual)
}

// isUncertain reports whether the residual of a value is more than rounding.
func (l *Learned) isUncertain(i int) bool { return l.Residuals[i] > l.resolution() }

// distance returns |λ_i − λ_j|, +Inf if there is no value j.
func (r Run) distance(i, j int) float64 {
	if j < 0 || j >= len(r.Values) {
		return math.Inf(1)
	}
	return math.Abs(r.Values[i] - r.Values[j])
}

// nearest returns the distance from a value to its nearest neighbour.
func (r Run) nearest(i int) float64 { return min(r.distance(i, i-1), r.distance(i, i+1)) }

// remedy is what to do about residuals.
func (l *Learned) remedy() string {
	switch {
	case l.Task.improve != "":
		return l.Task.improve
	case l.Task.defaults.Rate > 0 && l.settings.Rate > maxTimesDefault*l.Task.defaults.Rate:
		return fmt.Sprintf("lower Rate from %g to about %g, the default", l.settings.Rate, l.Task.defaults.Rate)
	case l.settings.Shift > maxTimesDefault*max(1, l.Task.defaults.Shift):
		return fmt.Sprintf("lower Shift from %g to about 1, the spectral radius of T", l.settings.Shift)
	case l.settings.cycles != nil && floats.Min(xslices.Map(l.Values, math.Abs)) < minLearned*l.radius:
		return "such small eigenvalues take long to learn; use a solver such as spectral.Lanczos"
	case l.settings.cycles != nil:
		return fmt.Sprintf("the default budget of %d steps is used; set Steps to more, or use a solver such as "+
			"spectral.Lanczos", l.Result.Step)
	case isDiscrete(l.Task.Functions):
		return "train for more steps"
	}
	return "train for more steps, or use functions that fit better, such as a network of net.Fourier features"
}

// width is the smaller of bound and residual of value i.
func (l *Learned) width(i int) float64 {
	if i < len(l.Bounds) && l.Bounds[i] < l.Residuals[i] { // not NaN, and not loaded
		return l.Bounds[i]
	}
	return l.Residuals[i]
}

// numbered returns "value 2" or "values 2, 3" for indices from 0, which may repeat.
func numbered(what string, which []int) string {
	numbers := xslices.Map(slices.Compact(slices.Sorted(slices.Values(which))), func(i int) string {
		return strconv.Itoa(i + 1)
	})
	if len(numbers) > 1 {
		what += "s"
	}
	return what + " " + strings.Join(numbers, ", ")
}

// are is [numbered] with its verb.
func are(what string, which []int) string {
	text := numbered(what, which)
	if strings.Contains(text, ",") {
		return text + " are"
	}
	return text + " is"
}
