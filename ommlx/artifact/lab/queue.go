package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"operator-omm/ommlx/train"
)

// queued is a job of one seed, and the jobs that it is a part of.
type queued struct {
	Job
	of []Job
}

// queue lists the single seeds of jobs by priority: the first seed of every job, in their order, then the second, and
// so on, so that at every moment each job has about as many runs as the others. A job that is named twice counts once.
//
// Seeds are not trained together, since that is no cheaper with a worker on each core: in the six smallest grid worlds
// a run took 0.92 to 1.03 of its time alone when three were trained together.
func queue(jobs []Job) ([]queued, error) {
	all := make([][]Job, len(jobs))
	rounds := 0
	for i, j := range jobs {
		var err error
		if all[i], err = j.Parts(); err != nil {
			return nil, err
		}
		rounds = max(rounds, len(all[i]))
	}
	var list []queued
	at := map[string]int{}
	for round := range rounds {
		for i, parts := range all {
			if round >= len(parts) {
				continue
			}
			p := parts[round]
			if _, listed := at[p.Key]; !listed {
				at[p.Key] = len(list)
				list = append(list, queued{Job: p})
			}
			q := &list[at[p.Key]]
			q.of = append(q.of, jobs[i])
		}
	}
	return list, nil
}

// kept tells whether a seed has a result, alone or in the whole result of every job that it is a part of.
func (q queued) kept(l *Lab) (bool, error) {
	if _, found, err := q.load(l); found || err != nil {
		return found, err
	}
	for _, j := range q.of {
		if _, found, err := j.load(l); !found || err != nil {
			return false, err
		}
	}
	return true, nil
}

// held tells whether a process trains the seed now, alone or together with the others of a job.
func (q queued) held(l *Lab) (bool, error) {
	keys := []string{q.Key}
	for _, j := range q.of {
		rest, err := j.Missing(l)
		if err != nil {
			return false, err
		}
		if keys = append(keys, j.Key); rest.Key != "" {
			keys = append(keys, rest.Key)
		}
	}
	for _, key := range keys {
		if held, _ := train.Look(l.runDir(key)); held {
			return true, nil
		}
	}
	return false, nil
}

// Runs lists the single seeds of jobs, each once, in the order in which [Lab.Work] trains them.
func Runs(jobs []Job) ([]Job, error) {
	list, err := queue(jobs)
	return jobsOf(list), err
}

// LeftOut counts runs that cannot be trained for want of data, by what their jobs lack.
type LeftOut map[string]int

// Ready tells the runs that can be trained on this machine from those whose data it has not.
func Ready(runs []Job) (ready []Job, left LeftOut) {
	left = LeftOut{}
	for _, j := range runs {
		if j.Lacks == "" {
			ready = append(ready, j)
		} else {
			left[j.Lacks]++
		}
	}
	return ready, left
}

// String says it in a sentence without its full stop; "" for nothing.
func (l LeftOut) String() string {
	var all []string
	for _, lacks := range slices.Sorted(maps.Keys(l)) {
		all = append(all, fmt.Sprintf("%d run(s), since %s", l[lacks], lacks))
	}
	return strings.Join(all, "; ")
}

// Worked is what became of a queue.
type Worked struct {
	Trained   int // results that this call added
	Elsewhere int // trainings that were left to another process, which is at work on them
	Left      int // trainings that ctx left unfinished
}

// Open lists the single seeds of jobs that have no kept result, in the order in which [Lab.Work] trains them. The error
// names a result that is damaged.
func (l *Lab) Open(jobs []Job) ([]Job, error) {
	list, err := queue(jobs)
	if err != nil {
		return nil, err
	}
	open, _, err := l.divide(list)
	return jobsOf(open), err
}

// divide tells what has no kept result from what has one.
func (l *Lab) divide(list []queued) (open, kept []queued, err error) {
	for _, q := range list {
		is, err := q.kept(l)
		if err != nil {
			return nil, nil, err
		}
		if is {
			kept = append(kept, q)
		} else {
			open = append(open, q)
		}
	}
	return open, kept, nil
}

func jobsOf(list []queued) []Job {
	jobs := make([]Job, len(list))
	for i, q := range list {
		jobs[i] = q.Job
	}
	return jobs
}

// Work trains what is missing of jobs, one seed at a time: first the first seed of every job, in their order, then the
// second, and so on. It leaves out what another process is at work on, so several may share a folder, and what [Ready]
// says to lack data. The error wraps
// [train.ErrInterrupted] if ctx ended the work; the same call then goes on from there. It wraps [train.ErrForeign] if a
// checkpoint was of another training: that one is left out, and the others are trained.
func (l *Lab) Work(ctx context.Context, jobs []Job) (done Worked, err error) {
	list, err := queue(jobs)
	if err != nil {
		return done, err
	}
	return l.train(ctx, list)
}

// train trains what is missing of a queue.
func (l *Lab) train(ctx context.Context, list []queued) (done Worked, err error) {
	open, kept, err := l.divide(list)
	if err != nil {
		return done, err
	}
	open = slices.DeleteFunc(open, func(q queued) bool { return q.Lacks != "" })
	for _, q := range kept { // of a process that was killed before it had removed its checkpoints
		if err := train.Clear(l.runDir(q.Key)); err != nil {
			return done, err
		}
	}
	if err := l.Expect(jobsOf(open)); err != nil {
		return done, err
	}
	var foreign error // the first one
	for i, q := range open {
		done.Left = len(open) - i
		if ctx.Err() != nil {
			return done, fmt.Errorf("%w before %s seed %d", train.ErrInterrupted, q.Label, q.Seeds[0])
		}
		kept, err := q.kept(l)
		if err != nil {
			return done, err
		}
		if kept { // by another process, since this work began
			l.leave(q.Job)
			continue
		}
		held, err := q.held(l)
		if err != nil {
			return done, err
		}
		if held {
			l.leave(q.Job)
			done.Elsewhere++
			continue
		}
		l.Say("%d of %d: %s seed %d", i+1, len(open), q.Label, q.Seeds[0])
		switch err := q.Run(ctx, l); {
		case errors.Is(err, train.ErrHeld): // which it was not a moment ago
			l.leave(q.Job)
			done.Elsewhere++
		case errors.Is(err, train.ErrForeign):
			l.leave(q.Job)
			l.Say("left out: %v", err)
			foreign = cmp.Or(foreign, err)
		case err != nil:
			return done, err
		default:
			done.Trained++
		}
	}
	done.Left = 0
	return done, foreign
}
