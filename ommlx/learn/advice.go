package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

const (
	maxCosine    = 0.05 // of two functions after a complete training
	maxNorm      = 2    // norms are 1 after a training, and larger if the loss has no lower bound
	maxAsymmetry = 0.05 // at most 0.01 for self-adjoint operators, 0.54 for a skewed one
	minNorm      = 0.25 // below it a function has vanished, unless
	minQuotient  = 0.1  // its Rayleigh quotient shows that it has an eigenvalue
	// minDecay is the exponent of a tail that the faces of a box hardly change. A state with the energy E falls as
	// e^(−x√(V−E)); if it falls by e^−2.5 between the centre and a face, the box shifts E by about 4 % (square wells).
	minDecay = 2.5
)

// Advice returns a sentence with a remedy for each problem: violated assumptions about the data, overfitting,
// values that may be off, functions that are not separated, states of the box rather than the potential, and runs that
// diverged or cannot be evaluated. A problem that follows from another is left out.
func (l *Learned) Advice() []string {
	advice, over := slices.Clone(l.Task.remarks), ""
	if !l.Task.changing {
		over = l.overfitted()
		advice = append(advice, l.behind, over)
		if over == "" || l.HeldOut == nil {
			advice = append(advice, l.fewTransitions())
		}
	}
	if over == "" || l.HeldOut == nil { // overfitted functions have no other useful symptom
		if cause := cmp.Or(l.asymmetric(), l.unbound(), l.ranAway()); cause != "" { // nothing else is well defined
			advice = append(advice, cause)
		} else {
			advice = append(advice, l.vanished(), cmp.Or(l.incomplete(), l.unfinished()), l.boxStates())
		}
	}
	for i, r := range l.Runs {
		if r.Diverged > 0 {
			advice = append(advice, fmt.Sprintf("the run of seed %d diverged at step %d, where the %s was not finite; "+
				"lower the learning rate or the initial scale", l.settings.Seeds[i], r.Diverged, r.Cause))
		} else if !r.evaluated() {
			advice = append(advice, fmt.Sprintf("the run of seed %d cannot be evaluated: %s", l.settings.Seeds[i],
				r.Cause))
		}
	}
	return slices.DeleteFunc(advice, func(sentence string) bool { return sentence == "" })
}

// asymmetric reports that T is not self-adjoint, by its definition or, if that was not checked, by M[f,Tf]. Residuals
// then do not fall.
func (l *Learned) asymmetric() string {
	if l.Task.notSymmetric != "" || l.Task.apply != nil || !(l.Diagnosis.Asymmetry > maxAsymmetry) {
		return l.Task.notSymmetric
	}
	return fmt.Sprintf("M[f,Tf] has an asymmetry of %.2g: T is not self-adjoint for the law of the samples, and its "+
		"symmetric part was learned, unless there are too few samples; weight the samples, take pairs in both "+
		"directions, or conjugate T with √ρ", l.Diagnosis.Asymmetry)
}

// unfinished describes functions that are not yet orthogonal although their residuals are small or unknown: an
// eigenvalue between theirs may be missing. Tables need no such sign, since their bounds are proved; on pairs, noise
// gives right functions such cosines, and [Learned.compare] looks for missing values.
func (l *Learned) unfinished() string {
	if l.traits().AnyAngles || l.Task.apply != nil || l.Task.pairs.From != nil || l.vanished() != "" ||
		!(l.Diagnosis.Cosine > maxCosine) {
		return ""
	}
	return fmt.Sprintf("two functions have a cosine of %.2g, so the training has not ended and may have missed an "+
		"eigenvalue: %s", l.Diagnosis.Cosine, l.remedy())
}

// unbound counts states on ℝ^D whose energies are not negative. Ritz values are upper bounds, so an energy within its
// residual of 0 may be of a bound state that training has not found.
func (l *Learned) unbound() string {
	var negative int
	var open bool
	for i, energy := range l.Values {
		if energy < 0 {
			negative++
		} else if energy <= l.Residuals[i] {
			open = true
		}
	}
	if !l.Task.negative || negative == len(l.Values) || l.ranAway() != "" {
		return ""
	}
	counted := fmt.Sprintf("only %d of %d energies are negative, and only those can be of bound states", negative,
		len(l.Values))
	if off := l.uncertain(); off != "" {
		counted += "; " + off
	}
	if open {
		return fmt.Sprintf("%s: use more Steps or widen the Sampler; if there are no more bound states, lower k to %d",
			counted, max(1, negative))
	}
	return fmt.Sprintf("%s: lower k to %d, or widen the Sampler if there are more", counted, max(1, negative))
}

// boxStates names states that the box confines: their energies are above the potential at the border, or so little
// below it that the states have not decayed between the centre of the box and the faces.
func (l *Learned) boxStates() string {
	box, border := l.Task.scales.Region, l.Task.scales.Border
	if box.Lower == nil {
		return ""
	}
	width := floats.Max(floats.SubTo(make([]float64, len(box.Lower)), box.Upper, box.Lower))
	var confined []int
	for i, energy := range l.Values {
		if border-energy < math.Pow(minDecay/(width/2), 2) {
			confined = append(confined, i)
		}
	}
	if confined == nil {
		return ""
	}
	remedy := "the potential: if the box is not part of the problem, use a wider one"
	if l.Task.scales.Fall > 0 {
		remedy = "the potential, which falls towards the border: a wider box lowers the energies, without limit if " +
			"the potential has no minimum"
	}
	return fmt.Sprintf("%s above the lowest potential at the border of the box, %.4g, or hardly below it, so the box "+
		"confines the state, not %s", say.Are("value", confined), border+0, remedy)
}

func (l *Learned) ranAway() string {
	norms := l.Diagnosis.Norms
	if l.traits().AnyNorms || len(norms) == 0 || floats.Max(norms) <= maxNorm {
		return ""
	}
	cause, remedy := "the steps were too large, or negative eigenvalues leave the loss without a lower bound",
		"lower Rate, start with smaller functions, or set Shift above −λ_min"
	switch {
	case l.Task.improve != "":
		cause, remedy = "the training failed", l.Task.improve
	case l.Task.apply != nil || l.Task.lowest:
		cause, remedy = "the steps were too large", "lower Rate"
	}
	return fmt.Sprintf("a function has norm %.3g instead of 1: %s; %s", floats.Max(norms), cause, remedy)
}

func (l *Learned) traits() ommlx.Traits { return ommlx.TraitsOf(l.settings.Objective) }

// vanished counts functions that training reduced to zero.
func (l *Learned) vanished() string {
	found := slices.IndexFunc(l.Values, math.IsNaN)
	// Values are those of Ritz functions, which have norm 1.
	if !l.traits().AnyNorms && l.Task.Noisy && l.Task.pairs.From == nil && found < 0 {
		for i, norm := range l.Diagnosis.Norms {
			if norm < minNorm && !(l.Diagnosis.Quotients[i] > minQuotient) {
				return fmt.Sprintf("function %d has norm %.2g and has nearly vanished: no positive eigenvalue is left "+
					"for it; lower k, or set Shift", i+1, norm)
			}
		}
	}
	if found < 0 {
		return ""
	}
	if l.Task.pairs.From != nil {
		return fmt.Sprintf("the pairs determine only %d functions; lower k to %d", found, found)
	}
	return fmt.Sprintf("%s NaN, because nothing is left of the function: its eigenvalue is negative or too small "+
		"against the first; set Shift to %.2g, or k to %d", say.Are("value", xslices.Iota(found, len(l.Values)-found)),
		max(l.Task.defaults.Shift, 2*l.settings.Shift, 0.1), found)
}

const (
	minLearned      = 1e-4 // eigenvalue, relative to the spectral radius, that more steps can find
	maxTimesDefault = 10   // learning rate or shift, relative to the default, above which it explains a failure
)

func (r Run) accuracy() spectral.Accuracy {
	return spectral.Accuracy{Values: r.Values, Residuals: r.Residuals, Bounds: r.Bounds, Outside: r.outside,
		Edge: r.edge, Radius: r.radius}
}

// incomplete describes values that may be off and functions that are not separated, with one remedy.
func (l *Learned) incomplete() string {
	var parts []string
	if i, by := l.accuracy().Missed(); i >= 0 {
		parts = append(parts, fmt.Sprintf("value %d is %.6g, but this eigenvalue is at least %.6g", i+1, l.Values[i],
			l.Values[i]+by))
	}
	if off := l.uncertain(); off != "" {
		parts = append(parts, off)
	}
	if mixed, distance, residual := l.accuracy().Mixed(); mixed != nil {
		parts = append(parts, fmt.Sprintf("%s are not separated and may be mixtures of each other, since values "+
			"differ by %.2g with residuals of up to %.2g", say.Numbered("function", mixed), distance, residual))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, "; ") + ": " + l.remedy()
}

// uncertain names values that may be off by too much.
func (l *Learned) uncertain() string {
	gap := math.Inf(1)
	if len(l.Values) == 1 && l.Task.gap != nil {
		gap = l.Task.gap(l.Values[0])
	}
	off, widest := l.accuracy().Uncertain(l.Task.apply != nil, gap)
	if off == nil {
		return ""
	}
	return fmt.Sprintf("%s may be off by up to %.2g", say.Numbered("value", off), widest)
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
	case l.settings.cycles != nil && floats.Min(xslices.Map(l.Values, math.Abs)) < minLearned*l.radius:
		return "such small eigenvalues take long to learn; use a solver such as spectral.Lanczos"
	case l.settings.cycles != nil:
		return fmt.Sprintf("the default budget of %d steps is used; set Steps to more, or use a solver such as "+
			"spectral.Lanczos", l.Result.Step)
	case net.IsDiscrete(l.Task.Functions):
		return "train for more steps"
	}
	return "train for more steps, or use functions that fit better, such as a network of net.Fourier features"
}
