package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/train"
)

// Job is an experiment of any type, to plan and run.
type Job struct {
	Key   string
	Label string
	Seeds []int64 // one for each run
	Cost  Cost

	of anyExperiment
}

// anyExperiment is what a [Job] needs of its experiment. Its implementation is [typed].
type anyExperiment interface {
	run(context.Context, *Lab) error
	load(*Lab) (r AnyResult, missing []int64, err error)
	outcomes(text []byte) ([]Outcome, error)
	with(seeds []int64) Job
	folder() string // of its checkpoints
}

// Run runs the job, unless its result is kept. Errors are as for [Run].
func (j Job) Run(ctx context.Context, l *Lab) error { return j.of.run(ctx, l) }

// Result returns the kept seeds of the job and those that are missing, as [Load].
func (j Job) Result(l *Lab) (r AnyResult, missing []int64, err error) { return j.of.load(l) }

// Outcomes returns how each run of a result in JSON ended. The result may lack parts that [Decode] requires, as in
// tables.
func (j Job) Outcomes(text []byte) ([]Outcome, error) { return j.of.outcomes(text) }

// typed is the experiment of a job.
type typed[E Experiment[E, R], R Judged] struct{ e E }

func (t typed[E, R]) run(ctx context.Context, l *Lab) error {
	_, err := Run(ctx, l, t.e)
	return err
}

func (t typed[E, R]) load(l *Lab) (AnyResult, []int64, error) { return Load(l, t.e) }

func (t typed[E, R]) outcomes(text []byte) ([]Outcome, error) {
	var r Result[E, R]
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: its result cannot be read (%w)", t.e.Label(), err)
	}
	if len(r.Runs) != len(t.e.RunSeeds()) {
		return nil, fmt.Errorf("%s: its result has %d runs", t.e.Label(), len(r.Runs))
	}
	return r.Outcomes(), nil
}

func (t typed[E, R]) with(seeds []int64) Job { return newJob(t.e.With(seeds)) }

func (t typed[E, R]) folder() string { return runName(t.e) }

// NewJob makes a job of an experiment. The error says what does not fit.
func NewJob[E Experiment[E, R], R Judged](e E) (Job, error) {
	if err := cmp.Or(checkSeeds(e.RunSeeds()), e.Validate()); err != nil {
		return Job{}, fmt.Errorf("%s: %w", say.Printable(e.Label()), err)
	}
	return newJob(e), nil
}

func newJob[E Experiment[E, R], R Judged](e E) Job {
	return Job{Key: Key(e), Label: e.Label(), Seeds: e.RunSeeds(), Cost: costOf(e), of: typed[E, R]{e}}
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
		parts = append(parts, j.of.with(seed))
	}
	return parts
}

// First returns the job of its first seeds; of all of them for 0, or where it has no more.
func (j Job) First(seeds int) Job {
	if seeds == 0 || seeds >= len(j.Seeds) {
		return j
	}
	return j.of.with(j.Seeds[:seeds])
}

// State is how far a job is.
type State string

// The states of a job.
const (
	Kept    State = "kept"    // the results of all of its seeds are there
	Running State = "running" // a process works on one of its seeds now
	Begun   State = "begun"   // a seed has a checkpoint, from which it resumes, or its result
	Open    State = "open"    // nothing was done yet
)

// States lists them.
func States() []State { return []State{Kept, Running, Begun, Open} }

// Progress returns how far a job is, and returns the job of the seeds that have no kept result, which is what
// [Job.Run] trains; it has no seeds and costs nothing if all of them have one. The error names a result that is
// damaged.
func (l *Lab) Progress(j Job) (state State, rest Job, err error) {
	_, missing, err := j.Result(l)
	if err != nil || len(missing) == 0 {
		return Kept, Job{}, err
	}
	state, rest = Open, j.of.with(missing)
	if len(missing) < len(j.Seeds) {
		state = Begun
	}
	for _, one := range append(rest.Parts(), rest) { // and together
		switch held, begun := train.Look(l.runDir(one.of.folder())); {
		case held:
			return Running, rest, nil
		case begun:
			state = Begun
		}
	}
	return state, rest, nil
}
