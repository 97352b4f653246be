package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
)

const (
	minResidual      = 1e-5 // of a complete training in float32, relative to the largest value
	maxError         = 0.05 // possible error of a value, relative to it, that is not reported
	maxProvedError   = 0.01 // the same if bounds are proved
	maxResidualToGap = 0.5  // residual, relative to the gap, of functions that are separated
	maxTimesDefault  = 10   // learning rate or shift, relative to the default, above which it explains a failure
)

// incomplete describes values that may be off and functions that are not separated.
func (l *Learned) incomplete() string {
	var parts []string
	if first := l.Task.first; first != 0 && l.evaluated() && math.Abs(l.Values[0]-first) > minResidual*math.Abs(first) {
		parts = append(parts, fmt.Sprintf("value 1 is %.6g, but must be %g", l.Values[0], first))
	}
	var off, mixed []int
	worst, least, widest := -1, 0.0, 0.0
	gap, uncertain, limit := math.Inf(1), 0.0, maxError
	if l.Task.apply != nil { // bounds are proved
		limit = maxProvedError
	}
	inf := []float64{math.Inf(1)}
	values := slices.Concat(inf, l.Values, inf) // with neighbours of the first and the last
	for i, v := range l.Values {
		if !(l.Residuals[i] > minResidual*l.scale()) { // or NaN
			continue
		}
		near := math.Inf(1) // the nearest value
		for _, j := range []int{i - 1, i + 1} {
			distance := math.Abs(values[j+1] - v)
			if near = min(near, distance); l.Residuals[i] > maxResidualToGap*distance {
				mixed = append(mixed, i, j)
				gap, uncertain = min(gap, distance), max(uncertain, l.Residuals[i])
			}
		}
		if m := l.missed(i); m > least && m > min(maxResidualToGap*near, maxError*math.Abs(v)) {
			worst, least = i, m
		}
		possible := l.width(i) // error
		if len(l.Values) > 1 { // it is about residual²/gap if the function is separated
			possible = min(possible, l.Residuals[i]*l.Residuals[i]/near)
		}
		if possible > limit*math.Abs(v) {
			off, widest = append(off, i), max(widest, l.width(i))
		}
	}
	if worst >= 0 {
		parts = append(parts, fmt.Sprintf("value %d is %.6g, but this eigenvalue is at least %.6g", worst+1,
			l.Values[worst], l.Values[worst]+least))
	}
	if off != nil {
		parts = append(parts, fmt.Sprintf("%s may be off by up to %.2g", numbered("value", off), widest))
	}
	if mixed != nil {
		parts = append(parts, fmt.Sprintf("%s are not separated and may be mixtures of each other, since values "+
			"differ by %.2g with residuals of up to %.2g", numbered("function", mixed), gap, uncertain))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + ": " + l.remedy()
}

// remedy is what to do about residuals.
func (l *Learned) remedy() string {
	switch {
	case l.Task.improve != "":
		return l.Task.improve
	case l.Task.defaults.Rate > 0 && l.settings.Rate > maxTimesDefault*l.Task.defaults.Rate:
		return fmt.Sprintf("lower Rate from %g to about %g, the default", l.settings.Rate, l.Task.defaults.Rate)
	case l.settings.Shift > maxTimesDefault*max(1, l.Task.defaults.Shift):
		return fmt.Sprintf("lower Shift from %g to about 1, the spectral radius of T", l.settings.Shift)
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
