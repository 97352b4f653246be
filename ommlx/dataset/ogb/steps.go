package ogb

// step is a part of a piece of work.
type step struct {
	name   string
	effort float64 // in any unit that all steps of the work share
}

// steps are the parts of a piece of work in their order.
type steps []step

// told returns a function that is told how far the step called prefix + name is, from 0 to 1, and tells progress how
// far all steps are.
func (s steps) told(prefix string, progress func(what string, fraction float64)) func(name string, fraction float64) {
	return func(name string, fraction float64) {
		done, total := 0.0, 0.0
		for _, step := range s {
			if step.name == prefix+name {
				done = total + fraction*step.effort
			}
			total += step.effort
		}
		progress(prefix+name, done/total)
	}
}
