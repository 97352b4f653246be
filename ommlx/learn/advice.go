package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	untrained       = 1e-5       // allowed error of the first value of a walk, which is 1
	converged       = 1e-5       // residual of a complete training in float32, relative to the largest value
	bound, touching = 1e-3, 1e-2 // mean square at the border, relative to the box: of bound states, of the box's own
)

// Advice returns a sentence with a remedy for each problem, or nil: violated assumptions about the data, overfitting,
// the findings of [Run].Diagnosis, functions that are not separated, states that touch the border of the box, and runs
// that diverged or cannot be evaluated.
func (l *Learned) Advice() []string {
	over := l.overfitted()
	advice := append(slices.Clone(l.Task.premises), over)
	if over == "" || l.HeldOut == nil { // overfitted functions have no other useful symptom
		advice = append(advice, l.fewTransitions())
		advice = slices.Concat(advice, l.Diagnosis.Advice(), []string{l.untrained(), l.notSeparated(), l.boxStates()})
	}
	for i, r := range l.Runs {
		if r.Diverged > 0 {
			advice = append(advice, fmt.Sprintf("the run of seed %d diverged at step %d, where the %s was not finite; "+
				"lower the learning rate or the initial scale", l.settings.Seeds[i], r.Diverged, r.Cause))
		} else if !r.judged() {
			advice = append(advice, fmt.Sprintf("the run of seed %d cannot be evaluated: %s", l.settings.Seeds[i],
				r.Cause))
		}
	}
	if advice = slices.DeleteFunc(advice, func(sentence string) bool { return sentence == "" }); len(advice) == 0 {
		return nil
	}
	return advice
}

// untrained compares the first value with its known value, such as 1 for a walk.
func (l *Learned) untrained() string {
	first := l.Task.First
	if first == 0 || len(l.Values) == 0 || math.Abs(l.Values[0]-first) <= untrained*math.Abs(first) {
		return ""
	}
	return fmt.Sprintf("the first value is %.6g, but must be %g: training is incomplete; train for more steps",
		l.Values[0], first)
}

// notSeparated names functions whose values differ by less than their bounds or, without bounds, their residuals.
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
	return fmt.Sprintf("%s not separated: their values differ by %.2g, with errors of up to %.2g, so they may be "+
		"mixtures of each other; train for more steps, or use only their span",
		areFunctions(which), least, most)
}

// boxStates names functions that are large at the border of the box, if the first is not.
func (l *Learned) boxStates() string {
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
	return fmt.Sprintf("%s large at the border of the box and may be states of the box, not of the potential: widen "+
		"the box and check that their values do not change", areFunctions(which))
}

// areFunctions returns "function 2 is" or "functions 2, 3 are" for the true entries.
func areFunctions(which []bool) string {
	var numbers []string
	for i, yes := range which {
		if yes {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	if len(numbers) == 1 {
		return "function " + numbers[0] + " is"
	}
	return "functions " + strings.Join(numbers, ", ") + " are"
}
