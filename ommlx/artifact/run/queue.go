package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"omm-go/ommlx/train"
)

// Runs lists the single seeds of jobs by priority, each once: the first seed of every job, in their order, then the
// second, and so on, so that at every moment each job has about as many runs as the others.
//
// Seeds are not trained together, since that is no cheaper with a worker on each core: in the six smallest grid worlds
// a run took 0.92 to 1.03 of its time alone when three were trained together.
func Runs(jobs []Job) []Job {
	var rounds [][]Job
	for _, j := range jobs {
		for i, one := range j.Parts() {
			if i == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[i] = append(rounds[i], one)
		}
	}
	listed := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(rounds...), func(j Job) (twice bool) {
		twice, listed[j.Key] = listed[j.Key], true
		return twice
	})
}

// Open lists the single seeds of jobs that have no kept result, in the order in which [Lab.Work] trains them. The
// error names a result that is damaged.
func (l *Lab) Open(jobs []Job) (open []Job, err error) {
	for _, j := range Runs(jobs) {
		_, missing, err := j.Result(l)
		if err != nil {
			return nil, err
		}
		if len(missing) > 0 {
			open = append(open, j)
		}
	}
	return open, nil
}

// Work trains the missing seeds of jobs, one seed at a time, in the order of [Runs]. It leaves out what another
// process is at work on, so several may share a folder. It counts the results that it added and the trainings that it
// left to another process. The error wraps [train.ErrInterrupted] if ctx ended the work; the same call then resumes.
// It wraps [train.ErrForeign] if a checkpoint was of another training: that one is left out, and the others are
// trained.
func (l *Lab) Work(ctx context.Context, jobs []Job) (trained, elsewhere int, err error) {
	open, err := l.Open(jobs)
	if err != nil {
		return 0, 0, err
	}
	l.Expect(open)
	var foreign error // the first one
	for i, j := range open {
		if ctx.Err() != nil {
			return trained, elsewhere, fmt.Errorf("%w before %s seed %d", train.ErrInterrupted, j.Label, j.Seeds[0])
		}
		_, missing, err := j.Result(l)
		if err != nil {
			return trained, elsewhere, err
		}
		if len(missing) == 0 { // kept by another process, since this work began
			l.expectNoMore(j)
			continue
		}
		err = train.ErrHeld
		if held, _ := train.Look(l.runDir(j.Key)); !held {
			l.Say("%d of %d: %s seed %d", i+1, len(open), j.Label, j.Seeds[0])
			err = j.Run(ctx, l)
		}
		switch {
		case errors.Is(err, train.ErrHeld):
			l.expectNoMore(j)
			elsewhere++
		case errors.Is(err, train.ErrForeign):
			l.expectNoMore(j)
			l.Say("left out: %v", err)
			foreign = cmp.Or(foreign, err)
		case err != nil:
			return trained, elsewhere, err
		default:
			trained++
		}
	}
	return trained, elsewhere, foreign
}
