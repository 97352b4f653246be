package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"operator-omm/ommlx/internal/say"
	"operator-omm/ommlx/train"
)

// Job is an experiment that can be planned and run without knowing what it is of.
type Job struct {
	Key   string
	Label string
	Seeds []int64 // one for each run
	Cost  Cost
	// Lacks says in a sentence, without its full stop, which data the training needs that are not on this machine;
	// "" for none.
	Lacks string

	// Run runs the job, unless its result is kept. Errors are those of [Run].
	Run func(context.Context, *Lab) error
	// Result returns the kept result of the job; found is false where there is none.
	Result func(*Lab) (r AnyResult, found bool, err error)

	told func(text []byte) ([]Outcome, error)
	with func(seeds []int64) Job
	run  string // the name of its folder of checkpoints
}

// NewJob makes a job of an experiment. The error says what does not fit.
func NewJob[E Experiment[E, R], R Judged](e E) (Job, error) {
	if err := cmp.Or(checkSeeds(e.RunSeeds()), e.Validate()); err != nil {
		return Job{}, fmt.Errorf("%s: %w", say.Printable(e.Label()), err)
	}
	return newJob(e), nil
}

func newJob[E Experiment[E, R], R Judged](e E) Job {
	return Job{
		Key: Key(e), Label: e.Label(), Seeds: e.RunSeeds(), Cost: costOf(e), Lacks: lacks(e),
		Run: func(ctx context.Context, l *Lab) error {
			_, err := Run(ctx, l, e)
			return err
		},
		Result: func(l *Lab) (AnyResult, bool, error) {
			r, found, err := Load(l, e)
			return r, found, err
		},
		told: func(text []byte) ([]Outcome, error) {
			var r Result[E, R]
			if err := json.Unmarshal(text, &r); err != nil {
				return nil, fmt.Errorf("%s: its result cannot be read (%w)", e.Label(), err)
			}
			return r.Outcomes(), nil
		},
		with: func(seeds []int64) Job { return newJob(e.With(seeds)) },
		run:  runName(e),
	}
}

// costOf is what an experiment costs, in time as much as its seeds one by one, so that every sum of jobs agrees.
func costOf[E Experiment[E, R], R Judged](e E) Cost {
	c := e.Cost()
	c.Seconds = 0
	for _, alone := range each(e) {
		c.Seconds += alone.Cost().Seconds
	}
	return c
}

// lacks asks an experiment that needs data to be downloaded what is missing of them.
func lacks(e any) string {
	if needs, ok := e.(interface{ Lacks() string }); ok {
		return needs.Lacks()
	}
	return ""
}

// NewJobs makes jobs of a list of experiments of one type.
func NewJobs[E Experiment[E, R], R Judged](list []E) ([]Job, error) {
	jobs := make([]Job, len(list))
	for i, e := range list {
		var err error
		if jobs[i], err = NewJob(e); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// Outcomes returns what a result tells of each run, which need not be whole as for [Decode]: tables leave out parts.
func (j Job) Outcomes(text []byte) ([]Outcome, error) {
	all, err := j.told(text)
	if err == nil && len(all) != len(j.Seeds) {
		err = fmt.Errorf("%s: its result has %d runs", j.Label, len(all))
	}
	return all, err
}

// Seconds is the estimate of the time that jobs take one after the other.
func Seconds(jobs []Job) (sum float64) {
	for _, j := range jobs {
		sum += j.Cost.Seconds
	}
	return sum
}

// Parts returns the jobs of its seeds, each alone; a job of one seed is its own part.
func (j Job) Parts() []Job {
	if len(j.Seeds) < 2 {
		return []Job{j}
	}
	var parts []Job
	for seed := range slices.Chunk(j.Seeds, 1) {
		parts = append(parts, j.with(seed))
	}
	return parts
}

// First returns the job of its first seeds; of all of them for 0, or where it has no more.
func (j Job) First(seeds int) Job {
	if seeds == 0 || seeds >= len(j.Seeds) {
		return j
	}
	return j.with(j.Seeds[:seeds])
}

// Missing returns the job of the seeds that have no kept result, which is what [Job.Run] trains. It has no seeds and
// costs nothing if all of them have one. The error names a result that is damaged.
func (j Job) Missing(l *Lab) (Job, error) {
	open, err := l.Open([]Job{j})
	if err != nil || len(open) == 0 {
		return Job{}, err
	}
	var seeds []int64
	for _, p := range open {
		seeds = append(seeds, p.Seeds...)
	}
	return j.with(seeds), nil
}

// State is how far a job is.
type State string

// The states of a job.
const (
	Kept    State = "kept"    // the results of all of its seeds are there
	Running State = "running" // a process works on one of its seeds now
	Begun   State = "begun"   // a seed has a checkpoint, from which it goes on, or its result
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
	if err != nil || len(rest.Seeds) == 0 {
		return Progress{State: Kept}, err
	}
	p := Progress{State: Open, Missing: rest}
	if len(rest.Seeds) < len(j.Seeds) {
		p.State = Begun
	}
	for _, one := range append(rest.Parts(), rest) { // and together
		switch held, begun := train.Look(l.runDir(one.run)); {
		case held:
			p.State = Running
			return p, nil
		case begun:
			p.State = Begun
		}
	}
	return p, nil
}
