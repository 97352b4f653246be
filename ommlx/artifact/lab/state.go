package lab

import "operator-omm/ommlx/train"

// State is how far a job is.
type State string

// The states of a job.
const (
	Kept    State = "kept"    // its result is there, or those of all of its seeds
	Running State = "running" // a process works on it now, or on one of its seeds
	Begun   State = "begun"   // a checkpoint is there, from which it goes on, or the result of one of its seeds
	Open    State = "open"    // nothing was done yet
)

// States lists them.
func States() []State { return []State{Kept, Running, Begun, Open} }

// Progress is how far a job is, and what is left of it.
type Progress struct {
	State   State
	Missing Job // as [Job.Missing]
}

// Progress tells how far a job is and what is left of it. The error names a result that is damaged.
func (l *Lab) Progress(j Job) (Progress, error) {
	rest, err := j.Missing(l)
	if err != nil {
		return Progress{}, err
	}
	if rest.Key == "" {
		return Progress{State: Kept}, nil
	}
	parts, err := rest.Parts()
	if err != nil {
		return Progress{}, err
	}
	p := Progress{State: Open, Missing: rest}
	if len(rest.Seeds) < len(j.Seeds) {
		p.State = Begun
	}
	for _, at := range append(parts, j, rest) {
		switch held, begun := train.Look(l.runDir(at.Key)); {
		case held:
			p.State = Running
			return p, nil
		case begun:
			p.State = Begun
		}
	}
	return p, nil
}
