package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	// untrained is how far the first value of a walk, which is 1, may be from it.
	untrained = 1e-5
	// converged is a residual, relative to the largest value, that float32 leaves after a complete training.
	converged = 1e-5
	// A function that is bound has less than bound of its mean square at the border of a box, relative to an even one,
	// and a state of the box more than touching.
	bound, touching = 1e-3, 1e-2
	// parted is how many standard errors, and overfit how much, a value on held-out pairs must lie below its value on
	// the training pairs to be called overfitted.
	parted, overfit = 4, 0.05
)

// Advice returns a sentence for every symptom: wrong data, overfitting, the symptoms of the diagnosis, functions that
// are not separated, states that the box makes, and runs that cannot be judged. It is nil without symptoms.
func (l *Learned) Advice() []string {
	said := []string{l.Task.Premise, l.overfitted()}
	if said[1] == "" { // functions that are noise have no other symptom
		said = slices.Concat(said, l.Diagnosis.Advice(), []string{l.untrained(), l.notSeparated(), l.ofTheBox()})
	}
	for i, r := range l.Runs {
		if r.Diverged > 0 {
			said = append(said, fmt.Sprintf("the run of seed %d diverged at step %d, where %s was not finite; "+
				"lower the rate or start smaller", l.settings.Seeds[i], r.Diverged, r.Cause))
		} else if !r.judged() {
			said = append(said, fmt.Sprintf("the run of seed %d cannot be judged: %s", l.settings.Seeds[i], r.Cause))
		}
	}
	if said = slices.DeleteFunc(said, func(sentence string) bool { return sentence == "" }); len(said) == 0 {
		return nil
	}
	return said
}

// untrained compares the first value with the known one, such as 1 for a walk.
func (l *Learned) untrained() string {
	first := l.Task.First
	if first == 0 || len(l.Values) == 0 || math.Abs(l.Values[0]-first) <= untrained*math.Abs(first) {
		return ""
	}
	return fmt.Sprintf("the first value is %.6g, not %g as it must be: the training is not done; take more steps",
		l.Values[0], first)
}

// notSeparated names functions whose values differ by less than their uncertainty: their bounds or, where there are
// none, their residuals.
func (l *Learned) notSeparated() string {
	if l.Task.Noisy || len(l.Values) < 2 || len(l.Residuals) < len(l.Values) {
		return ""
	}
	width := func(i int) float64 {
		if i < len(l.Bounds) && l.Bounds[i] < l.Residuals[i] { // not NaN, and not loaded
			return l.Bounds[i]
		}
		return l.Residuals[i]
	}
	which := make([]bool, len(l.Values))
	least, most := math.Inf(1), 0.0
	for i := range len(l.Values) - 1 {
		gap, uncertain := math.Abs(l.Values[i+1]-l.Values[i]), math.Max(width(i), width(i+1))
		if !(uncertain > gap) || math.Max(l.Residuals[i], l.Residuals[i+1]) <= converged*l.scale() { // not NaN either
			continue
		}
		which[i], which[i+1] = true, true
		least, most = math.Min(least, gap), math.Max(most, uncertain)
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%s not separated: their values differ by %.2g, but may be off by %.2g, so they may be "+
		"mixtures of each other; take more steps, or use only their span",
		areFunctions(which), least, most)
}

// overfitted names functions whose values on the training pairs do not hold on others.
func (r Run) overfitted() string {
	if r.HeldOut == nil {
		return ""
	}
	which := make([]bool, len(r.Values))
	for i, v := range r.HeldOut.Values {
		which[i] = r.Values[i]-v > max(overfit, parted*r.HeldOut.Errors[i])
	}
	i := slices.Index(which, true)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%s overfitted: function %d has the value %.3g on the pairs that trained it, "+
		"but %.2g ± %.1g on the %d held out; take fewer steps or a smaller network, or give more pairs",
		areFunctions(which), i+1, r.Values[i], r.HeldOut.Values[i], r.HeldOut.Errors[i], r.HeldOut.Pairs)
}

// ofTheBox names functions that are large at the border of the box though the first is not.
func (l *Learned) ofTheBox() string {
	if len(l.atBorder) == 0 || l.atBorder[0] > bound {
		return ""
	}
	which := make([]bool, len(l.atBorder))
	for i, share := range l.atBorder {
		which[i] = share > touching
	}
	if !slices.Contains(which, true) {
		return ""
	}
	return fmt.Sprintf("%s large at the border of the box, which may be its states, not the potential's: widen the "+
		"box to see whether their values stay", areFunctions(which))
}

// areFunctions is "function 2 is" or "functions 2 to 4 are", where which is true.
func areFunctions(which []bool) string {
	var parts []string
	count := 0
	for first := 0; first < len(which); first++ {
		last := first
		for last < len(which) && which[last] {
			last++
		}
		switch last - first { // functions first + 1 to last
		case 0:
			continue
		case 1:
			parts = append(parts, strconv.Itoa(last))
		case 2:
			parts = append(parts, fmt.Sprintf("%d and %d", last-1, last))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", first+1, last))
		}
		count, first = count+last-first, last
	}
	if count == 1 {
		return "function " + parts[0] + " is"
	}
	return "functions " + strings.Join(parts, ", ") + " are"
}
