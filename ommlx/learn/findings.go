package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
)

const (
	converged     = 1e-5      // residual of a complete training in float32, relative to the largest value
	few           = 0.05      // possible error of a value, relative to it, that is reported
	oblique       = 0.05      // cosine of two functions that a complete training does not leave
	half          = 0.5       // residual, relative to the gap, of functions that are not separated
	runaway       = 2         // norms are 1 after a training, and larger if the loss has no lower bound
	skewed        = 0.05      // asymmetry: at most 0.01 of self-adjoint operators, 0.54 of a skewed one
	hasty         = 10        // learning rate or shift, relative to the default, that explains a failure
	gone, present = 0.25, 0.1 // norm of a vanished function, and quotient of one that has an eigenvalue
)

// asymmetric reports that T is not self-adjoint, by its definition or by M[f,Tf]. Residuals then do not fall.
func (l *Learned) asymmetric() string {
	if l.Task.NotSymmetric != "" || !(l.Diagnosis.Asymmetry > skewed) {
		return l.Task.NotSymmetric
	}
	return fmt.Sprintf("M[f,Tf] has an asymmetry of %.2g: T is not self-adjoint for the law of the samples, and its "+
		"symmetric part was learned, unless there are too few samples; weight the samples, take pairs in both "+
		"directions, or conjugate T with √ρ", l.Diagnosis.Asymmetry)
}

// unfinished describes functions that are not yet orthogonal although their residuals are small or unknown: an
// eigenvalue between theirs may be missing. Tables need no such sign, since their bounds are proved.
func (l *Learned) unfinished() string {
	if l.traits().AnyAngles || l.Task.Apply != nil || l.vanished() != "" || !(l.Diagnosis.Cosine > oblique) {
		return ""
	}
	return fmt.Sprintf("two functions have a cosine of %.2g, so the training has not ended and may have missed an "+
		"eigenvalue: %s", l.Diagnosis.Cosine, l.remedy())
}

// unbound counts states on ℝ^D whose energies are not negative.
func (l *Learned) unbound() string {
	states := slices.IndexFunc(l.Values, func(energy float64) bool { return !(energy < 0) })
	if !l.Task.Negative || states < 0 {
		return ""
	}
	return fmt.Sprintf("only %d of %d energies are negative, and only those can be of bound states: lower k to %d, or "+
		"widen the Sampler if there are more", states, len(l.Values), max(1, states))
}

// faint is the exponent of a tail that the faces of a box hardly change. A state with the energy E falls as
// e^(−x√(V−E)); if it falls by e^−2.5 between the centre and a face, the box shifts E by about 4 % (square wells).
const faint = 2.5

// boxStates names states that the box confines: their energies are above the potential at the border, or so little
// below it that the states have not decayed between the centre of the box and the faces.
func (l *Learned) boxStates() string {
	box := l.Task.Box
	if box.Lower == nil {
		return ""
	}
	width := floats.Max(floats.SubTo(make([]float64, len(box.Lower)), box.Upper, box.Lower))
	var confined []int
	for i, energy := range l.Values {
		if l.Task.Border-energy < math.Pow(faint/(width/2), 2) {
			confined = append(confined, i)
		}
	}
	if confined == nil {
		return ""
	}
	return fmt.Sprintf("%s above the lowest potential at the border of the box, %.4g, or hardly below it, so the box "+
		"confines the state, not the potential: if the box is not part of the problem, use a wider one",
		are("value", confined), l.Task.Border+0)
}

func (l *Learned) ranAway() string {
	norms := l.Diagnosis.Norms
	if l.traits().AnyNorms || len(norms) == 0 || floats.Max(norms) <= runaway {
		return ""
	}
	cause, remedy := "the steps were too large, or negative eigenvalues leave the loss without a lower bound",
		"lower Rate, start with smaller functions, or set Shift above −λ_min"
	switch {
	case l.Task.Improve != "":
		cause, remedy = "the training failed", l.Task.Improve
	case l.Task.Apply != nil || l.Task.Lowest:
		cause, remedy = "the steps were too large", "lower Rate"
	}
	return fmt.Sprintf("a function has norm %.3g instead of 1: %s; %s", floats.Max(norms), cause, remedy)
}

func (l *Learned) traits() ommlx.Traits { return ommlx.TraitsOf(l.settings.Objective) }

// vanished counts functions of which training left nothing.
func (l *Learned) vanished() string {
	found := slices.IndexFunc(l.Values, math.IsNaN)
	// Values are those of Ritz functions, which have norm 1.
	if !l.traits().AnyNorms && l.Task.Noisy && found < 0 {
		for i, norm := range l.Diagnosis.Norms {
			if norm < gone && !(l.Diagnosis.Quotients[i] > present) {
				return fmt.Sprintf("function %d has norm %.2g and has nearly vanished: no positive eigenvalue is left "+
					"for it; lower k, or set Shift", i+1, norm)
			}
		}
	}
	if found < 0 {
		return ""
	}
	return fmt.Sprintf("%s NaN, because nothing is left of the function: its eigenvalue is negative or too small "+
		"against the first; set Shift to %.2g, or k to %d", are("value", xslices.Iota(found, len(l.Values)-found)),
		max(l.Task.Defaults.Shift, 2*l.settings.Shift, 0.1), found)
}

// incomplete describes values that may be off and functions that are not separated.
func (l *Learned) incomplete() string {
	var parts []string
	if first := l.Task.First; first != 0 && l.judged() && math.Abs(l.Values[0]-first) > converged*math.Abs(first) {
		parts = append(parts, fmt.Sprintf("value 1 is %.6g, but must be %g", l.Values[0], first))
	}
	var off, mixed []int
	worst, least, widest := -1, 0.0, 0.0
	gap, uncertain, limit := math.Inf(1), 0.0, few
	if l.Task.Apply != nil { // bounds are proved
		limit = few / 5
	}
	inf := []float64{math.Inf(1)}
	values := slices.Concat(inf, l.Values, inf) // with neighbours of the first and the last
	for i, v := range l.Values {
		if !(l.Residuals[i] > converged*l.scale()) { // or NaN
			continue
		}
		near := math.Inf(1) // the nearest value
		for _, j := range []int{i - 1, i + 1} {
			apart := math.Abs(values[j+1] - v)
			if near = min(near, apart); l.Residuals[i] > half*apart {
				mixed = append(mixed, i, j)
				gap, uncertain = min(gap, apart), max(uncertain, l.Residuals[i])
			}
		}
		if m := l.missed(i); m > least && m > min(half*near, few*math.Abs(v)) {
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
	case l.Task.Improve != "":
		return l.Task.Improve
	case l.Task.Defaults.Rate > 0 && l.settings.Rate > hasty*l.Task.Defaults.Rate:
		return fmt.Sprintf("lower Rate from %g to about %g, the default", l.settings.Rate, l.Task.Defaults.Rate)
	case l.settings.Shift > hasty*max(1, l.Task.Defaults.Shift):
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
