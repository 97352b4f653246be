package lab

import (
	"context"
	"fmt"
	"os"
	"strings"

	"operator-omm/ommlx/train"
)

// Job is an experiment that can be planned and run without knowing what it is of.
type Job struct {
	Key   string
	Label string
	Kind  string // the type of the experiment, as rl.Experiment
	Cost  Cost

	run  func(context.Context, *Lab) error
	load func(*Lab) (Result, bool, error) // the kept result; false without one
}

// NewJob makes a job of an experiment. The error says what does not fit.
func NewJob[R Result](e Experiment[R]) (Job, error) {
	if err := e.Validate(); err != nil {
		return Job{}, fmt.Errorf("%s: %w", e.Label(), err)
	}
	key, err := Key(e)
	if err != nil {
		return Job{}, err
	}
	return Job{
		Key: key, Label: e.Label(), Kind: strings.TrimPrefix(fmt.Sprintf("%T", e), "*"), Cost: e.Cost(),
		run: func(ctx context.Context, l *Lab) error {
			_, err := Run(ctx, l, e)
			return err
		},
		load: func(l *Lab) (Result, bool, error) {
			r, found, err := Load(l, e)
			return r, found, err
		},
	}, nil
}

// NewJobs makes jobs of a list of experiments of one type.
func NewJobs[R Result, E Experiment[R]](list []E) ([]Job, error) {
	jobs := make([]Job, len(list))
	for i, e := range list {
		var err error
		if jobs[i], err = NewJob[R](e); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// Run runs the job, unless its result is kept. Errors are those of [Run].
func (j Job) Run(ctx context.Context, l *Lab) error { return j.run(ctx, l) }

// Result returns the kept result of the job; found is false where there is none.
func (j Job) Result(l *Lab) (r Result, found bool, err error) { return j.load(l) }

// State is how far a job is.
type State string

// The states of a job.
const (
	Kept    State = "kept"    // its result is there
	Running State = "running" // a process works on it now
	Begun   State = "begun"   // a checkpoint is there, from which it goes on
	Open    State = "open"    // nothing was done yet
)

// States lists them.
func States() []State { return []State{Kept, Running, Begun, Open} }

// State tells how far a job is. The error names a result that is damaged.
func (l *Lab) State(j Job) (State, error) {
	_, found, err := j.load(l)
	if err != nil {
		return "", err
	}
	if found {
		return Kept, nil
	}
	dir := l.runDir(j.Key)
	if _, err := os.Stat(dir); err != nil {
		return Open, nil
	}
	switch held, begun := train.Look(dir); {
	case held:
		return Running, nil
	case begun:
		return Begun, nil
	}
	return Open, nil
}

// Pace corrects estimates by what was measured: for each kind of experiment, the time that kept results took over the
// time that was estimated for them. It is 1 for a kind without a kept result.
func (l *Lab) Pace(jobs []Job) (map[string]float64, error) {
	took, estimated := map[string]float64{}, map[string]float64{}
	for _, j := range jobs {
		r, found, err := j.load(l)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		if origin, _ := r.Trained(); origin.Seconds > 0 {
			took[j.Kind] += origin.Seconds
			estimated[j.Kind] += j.Cost.Seconds
		}
	}
	pace := map[string]float64{}
	for _, j := range jobs {
		pace[j.Kind] = 1
		if estimated[j.Kind] > 0 {
			pace[j.Kind] = took[j.Kind] / estimated[j.Kind]
		}
	}
	return pace, nil
}
