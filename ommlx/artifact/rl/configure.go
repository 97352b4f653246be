package rl

// Overrides are the numbers of an experiment that a user changes.
type Overrides struct {
	K, Runs, Steps, Batch int
	Transitions           int // 0: the paper's
	Gamma, Shift          float64
	Expectation           Expectation
	Overlap               Overlap
	// Barrier and BarrierRate are ALLO's b and α_barrier; 0: the paper's for k = 11.
	Barrier, BarrierRate float64
}

// Configure returns the paper's protocol with a user's numbers on a maze of this machine, or an error that says which
// does not fit.
func Configure(environment, method string, o Overrides) (Experiment, error) {
	e := Paper(environment, method, o.K, max(0, o.Runs)).Here()
	e.Batch, e.Gamma, e.Shift, e.Expectation, e.Overlap = o.Batch, o.Gamma, o.Shift, o.Expectation, o.Overlap
	if o.Transitions != 0 {
		e.Transitions = o.Transitions
	}
	if o.Barrier != 0 {
		e.Barrier = o.Barrier
	}
	if o.BarrierRate != 0 {
		e.BarrierRate = o.BarrierRate
	}
	e = e.WithSteps(o.Steps)
	return e, e.Validate()
}
