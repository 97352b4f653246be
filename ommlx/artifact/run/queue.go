package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"omm-go/ommlx/train"
)

// Runs lists the single seeds of jobs, each once: the first seed of every job, in order, then the second seeds, and so
// on. The jobs thus gain runs at the same rate.
//
// Seeds are not trained together, since that saves no time with a worker on each core: in the six smallest grid worlds
// training three together took 0.92 to 1.03 times as long per run.
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

// Open lists the single seeds of jobs without a kept result, in the order in which [Lab.Work] trains them. A damaged
// result is an error.
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

// Work trains the missing seeds of jobs one at a time, in the order of [Runs]. It skips seeds that another process is
// training, so several processes may share a folder. The error wraps [train.ErrInterrupted] if ctx ended the work; the
// same call then resumes. It wraps [train.ErrForeign] if a checkpoint belongs to another training: Work skips that seed
// and trains the others.
func (l *Lab) Work(ctx context.Context, jobs []Job) error {
	open, err := l.Open(jobs)
	if err != nil {
		return err
	}
	l.Expect(open)
	var foreign error // the first one
	for i, j := range open {
		l.left = Seconds(open[i:])
		if ctx.Err() != nil {
			return fmt.Errorf("%w before %s seed %d", train.ErrInterrupted, j.Label, j.Seeds[0])
		}
		_, missing, err := j.Result(l)
		if err != nil {
			return err
		}
		if held, _ := train.Look(l.runDir(j.Key)); held || len(missing) == 0 {
			continue // another process trains it or has kept it
		}
		l.Say("%d of %d: %s seed %d", i+1, len(open), j.Label, j.Seeds[0])
		switch err := j.Run(ctx, l); {
		case errors.Is(err, train.ErrHeld):
			l.Say("skipped: %v", err)
		case errors.Is(err, train.ErrForeign):
			l.Say("skipped: %v", err)
			foreign = cmp.Or(foreign, err)
		case err != nil:
			return err
		}
	}
	return foreign
}
