package learn

import (
	"cmp"
	"fmt"
	"slices"
)

// Advice returns a sentence with a remedy for each problem: violated assumptions about the data, overfitting,
// values that may be off, functions that are not separated, states of the box rather than the potential, and runs that
// diverged or cannot be evaluated. A problem that follows from another is left out.
func (l *Learned) Advice() []string {
	over := l.overfitted()
	advice := append(slices.Clone(l.Task.Premises), over)
	if over == "" || l.HeldOut == nil { // overfitted functions have no other useful symptom
		advice = append(advice, l.fewTransitions())
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
		} else if !r.judged() {
			advice = append(advice, fmt.Sprintf("the run of seed %d cannot be evaluated: %s", l.settings.Seeds[i],
				r.Cause))
		}
	}
	return slices.DeleteFunc(advice, func(sentence string) bool { return sentence == "" })
}
