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
	// converged is a residual, relative to the largest value, that float32 leaves of what is learned to the end.
	converged = 1e-5
	// outermost is the share of a box's width, on both sides together, that counts as its border; a function that is
	// bound has less than bound of its mean square there, relative to an even one, and a state of the box more than
	// touching.
	outermost, bound, touching = 0.1, 1e-3, 1e-2
)

// Advice returns a sentence for every symptom: what is wrong with the data, what is learned from too few of them, the
// symptoms of the diagnosis, functions that are not told apart, states that are the box's, and runs that cannot be
// judged. It is nil where there is none.
func (l *Learned) Advice() []string {
	said := []string{l.Task.premise, l.overfitted()}
	if said[1] == "" { // of functions that are noise nothing else is to be said
		said = slices.Concat(said, l.Diagnosis.Advice(), []string{l.untrained(), l.notToldApart(), l.ofTheBox()})
	}
	for i, r := range l.Runs {
		if r.Diverged > 0 {
			said = append(said, fmt.Sprintf("the run of seed %d diverged at step %d, where %s was not finite: "+
				"the steps or the start are too large; lower the rate", l.settings.Seeds[i], r.Diverged, r.Cause))
		} else if !r.judged() {
			said = append(said, fmt.Sprintf("the run of seed %d cannot be judged: %s", l.settings.Seeds[i], r.Cause))
		}
	}
	if said = slices.DeleteFunc(said, func(sentence string) bool { return sentence == "" }); len(said) == 0 {
		return nil
	}
	return said
}

// untrained compares the first value with the one that is known, as that of a walk is.
func (l *Learned) untrained() string {
	first := l.Task.first
	if first == 0 || len(l.Values) == 0 || math.Abs(l.Values[0]-first) <= untrained*math.Abs(first) {
		return ""
	}
	return fmt.Sprintf("the first value is %.6g, though that of every such operator is %g: the training is not done; "+
		"take more steps", l.Values[0], first)
}

// notToldApart names functions whose values lie nearer to each other than they are certain: by their bounds or, where
// there are none, by their residuals.
func (l *Learned) notToldApart() string {
	if l.Task.Noisy || len(l.Values) < 2 || len(l.Residuals) < len(l.Values) {
		return ""
	}
	width := func(i int) float64 {
		if i < len(l.Bounds) && l.Bounds[i] < l.Residuals[i] { // not NaN, and of no file
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
	return fmt.Sprintf("%s not told apart: their values differ by %.2g, but may be off by %.2g, so that they may be "+
		"mixtures of each other and the difference noise; take more steps, or use their span alone",
		areFunctions(which), least, most)
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
	return fmt.Sprintf("%s large at the border of the box: the box makes such states, not the potential alone; "+
		"widen the box to see whether their values stay", areFunctions(which))
}

// areFunctions is "function 2 is" or "functions 2 to 4 are", of those, at least one, for which which holds.
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
