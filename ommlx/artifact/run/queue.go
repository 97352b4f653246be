package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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

// Open lists the single seeds of jobs that have no kept result, in the order in which [Lab.Work] trains them. The error
// names a result that is damaged.
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

// Work trains what is missing of jobs, one seed at a time, in the order of [Runs]. It leaves out what another process
// is at work on, so several may share a folder. It counts the results that it added
// and the trainings that it left to another process. The error wraps [train.ErrInterrupted] if ctx ended the work; the
// same call then goes on from there. It wraps [train.ErrForeign] if a checkpoint was of another training: that one is
// left out, and the others are trained.
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

// ErrUnknown is wrapped by the error of [Lab.Finish] for a key that no training has.
var ErrUnknown = errors.New("no training has this key")

// waitFor is the time between two looks at what another process trains.
const waitFor = 2 * time.Second

// Finish trains those seeds of jobs whose own key, or that of a job of theirs, is among keys. Unlike [Lab.Work] it
// waits for what another process is at work on, and trains it if that process ends without a result: after Finish each
// of the results is kept. It counts those that it added. Errors are those of Work; that of a key which nothing in jobs
// has wraps [ErrUnknown].
func (l *Lab) Finish(ctx context.Context, jobs []Job, keys []string) (trained int, err error) {
	known := map[string]Job{}
	for _, j := range jobs {
		for _, one := range append(j.Parts(), j) {
			known[one.Key] = one
		}
	}
	var named []Job
	for _, key := range keys {
		j, there := known[key]
		if !there {
			return 0, fmt.Errorf("%w: %q", ErrUnknown, key)
		}
		named = append(named, j)
	}
	for said := false; ; said = true {
		some, elsewhere, err := l.Work(ctx, named)
		if trained += some; err != nil || elsewhere == 0 {
			return trained, err
		}
		if !said {
			l.Say("waiting for another process, which is at work on %d of these trainings", elsewhere)
		}
		select {
		case <-ctx.Done():
			return trained, fmt.Errorf("%w while another process was at work on the rest", train.ErrInterrupted)
		case <-time.After(waitFor):
		}
	}
}
