package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"omm-go/ommlx/artifact/run"
)

// Make runs the jobs of the entries whose results are not kept, and writes each entry when its jobs are done. The entry
// with the least training left comes first, so that a picture appears soon, and those without trainings come last. With
// [run.Lab.KeptOnly] it runs nothing and writes the entries that have enough kept results. The quick profile, and the
// smoke profile with a Target, first write the entries at the paper's scale from kept results.
func Make(ctx context.Context, l *run.Lab, entries []Entry) error {
	if l.Profile == run.Quick || l.Profile == run.Smoke && l.Target != "" {
		paper := *l
		paper.Profile, paper.KeptOnly = run.Paper, true
		if err := makeAll(ctx, &paper, entries); err != nil {
			return err
		}
		entries = slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
			return !e.Trains() || e.Aside && l.Profile == run.Quick
		})
	}
	return makeAll(ctx, l, entries)
}

func makeAll(ctx context.Context, l *run.Lab, entries []Entry) error {
	type task struct {
		Entry
		jobs    []run.Job
		seconds float64 // of training left
	}
	plans, err := Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	var tasks []task
	var open []run.Job
	for i, e := range entries {
		own, err := l.Open(plans[i])
		if err != nil {
			return err
		}
		seconds := run.Seconds(own)
		if !e.Trains() {
			seconds = math.Inf(1)
		}
		tasks, open = append(tasks, task{e, plans[i], seconds}), append(open, own...)
	}
	l.Expect(run.Runs(open)) // each run once
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(a.seconds, b.seconds) })
	for _, t := range tasks {
		if err := t.make(ctx, l, t.jobs); err != nil {
			return err
		}
	}
	return nil
}

// make runs the jobs of the entry, unless KeptOnly is set, and writes it if there are enough results.
func (e Entry) make(ctx context.Context, l *run.Lab, jobs []run.Job) error {
	start := time.Now()
	l.Say("%s: %s (%s profile)", e.Name, e.About, l.Profile)
	if !l.KeptOnly {
		for _, j := range jobs {
			if err := j.Run(ctx, l); err != nil {
				return err
			}
		}
	}
	content, err := e.Show(l)
	if errors.Is(err, errNotRun) || errors.Is(err, fs.ErrNotExist) && !e.Trains() {
		l.Say("%s: not drawn: %v", e.Name, err)
		return nil
	}
	if err == nil {
		err = e.write(l, content)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	l.Say("%s: done in %s", e.Name, time.Since(start).Round(time.Second))
	return nil
}
