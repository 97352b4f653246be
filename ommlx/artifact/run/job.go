package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"omm-go/ommlx/internal/say"
)

// Job is an experiment of any type.
type Job struct {
	Key   string
	Label string
	Seeds []int64 // one per run
	Cost  Cost

	// Run trains the seeds of the job without a kept result. Errors are as for the function [Run].
	Run func(context.Context, *Lab) error
	// Result returns how each kept run ended, and the seeds without a kept result. Errors are as for [Load].
	Result func(*Lab) (kept []Outcome, missing []int64, err error)
	// Outcomes returns how each run ended in a result given as JSON, which may lack parts, as in tables.
	Outcomes func(text []byte) ([]Outcome, error)

	with func(seeds []int64) Job
}

// NewJob returns the job of an experiment. An invalid experiment is an error.
func NewJob[E Experiment[E, R], R Judged](e E) (Job, error) {
	if err := cmp.Or(checkSeeds(e.RunSeeds()), e.Validate()); err != nil {
		return Job{}, fmt.Errorf("%s: %w", say.Printable(e.Label()), err)
	}
	return newJob(e), nil
}

func newJob[E Experiment[E, R], R Judged](e E) Job {
	return Job{
		Key: Key(e), Label: e.Label(), Seeds: e.RunSeeds(), Cost: costOf(e),
		Run: func(ctx context.Context, l *Lab) error {
			_, err := Run(ctx, l, e)
			return err
		},
		Result: func(l *Lab) ([]Outcome, []int64, error) {
			r, missing, err := Load(l, e)
			return r.Outcomes(), missing, err
		},
		Outcomes: func(text []byte) ([]Outcome, error) {
			r, err := decode[E, R](text, Key(e))
			return r.Outcomes(), err
		},
		with: func(seeds []int64) Job { return newJob(e.With(seeds)) },
	}
}

// costOf returns the cost of an experiment. Its time is the sum over single seeds, so that sums over jobs agree.
func costOf[E Experiment[E, R], R Judged](e E) Cost {
	c := e.Cost()
	c.Seconds = 0
	for _, alone := range each(e) {
		c.Seconds += alone.Cost().Seconds
	}
	return c
}

// NewJobs returns the jobs of a list of experiments.
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

// Seconds returns the estimated time of jobs run one after another.
func Seconds(jobs []Job) (sum float64) {
	for _, j := range jobs {
		sum += j.Cost.Seconds
	}
	return sum
}

// Parts returns one job per seed. A job with one seed is its own part.
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

// First returns the job of the first seeds, or of all seeds if the number is 0 or larger than there are.
func (j Job) First(seeds int) Job {
	if seeds == 0 || seeds >= len(j.Seeds) {
		return j
	}
	return j.with(j.Seeds[:seeds])
}
