package artifact

import (
	"fmt"
	"operator-omm/ommlx/gridworld"
)

// Overrides are the numbers of an experiment that a user changes.
type Overrides struct {
	K, Runs, Steps, Batch int
	Transitions           int // 0: the paper's
	Gamma, Shift          float64
	Expectation           Expectation
}

// Configure returns the paper's protocol with a user's numbers, or an error that says which does not fit.
func Configure(environment, method string, o Overrides) (Laplacian, error) {
	if o.Runs < 1 {
		return Laplacian{}, fmt.Errorf("the number of runs is %d; it must be at least 1", o.Runs)
	}
	l := PaperLaplacian(environment, method, o.K, o.Runs)
	l.Batch, l.Gamma, l.Expectation = o.Batch, o.Gamma, o.Expectation
	if method != "allo" {
		l.Shift = o.Shift
	}
	if o.Transitions > 0 {
		l.Transitions = o.Transitions
	}
	l = l.withSteps(o.Steps)
	if err := l.Validate(); err != nil {
		return Laplacian{}, err
	}
	w, err := gridworld.LoadWorld(environment)
	if err != nil {
		return Laplacian{}, err
	}
	l.Generated = w.Grid.Generated
	return l, nil
}
