package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"operator-omm/ommlx/artifact/lab"
)

// Make runs the jobs that the entries need, with the time left for all of them, and writes every entry as soon as its
// own jobs are done. A result that is kept, or that an entry before it needed, is not computed again. With
// [lab.Lab.KeptOnly] it runs nothing and writes what the kept results are enough for.
//
// Under the paper profile, whose trainings take hours, it first writes what the kept results are enough for, and says
// what is missing there; an entry that lacks nothing is then done. Under the others, which take minutes, a part does
// not replace a whole figure of before.
//
// Data of the paper that are not on this machine are fetched where the lab may. Where they cannot be had, a profile of
// minutes takes what stands in for them. The paper profile trains all that does without them, draws what results there
// are, and says at its end what it left out.
func Make(ctx context.Context, l *lab.Lab, entries []Entry) error {
	if l.Profile != lab.Paper || !l.KeptOnly {
		Prepare(ctx, l, entries)
	}
	plans, err := Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	done := make([]bool, len(entries))
	if l.KeptOnly || l.Profile == lab.Paper {
		for i, e := range entries {
			if done[i], err = e.makeKept(l, plans[i]); err != nil {
				return err
			}
		}
	}
	if l.KeptOnly {
		return nil
	}
	open, err := l.Open(slices.Concat(plans...))
	if err != nil {
		return err
	}
	ready, left := lab.Ready(open)
	if err := l.Expect(ready); err != nil {
		return err
	}
	for _, i := range bySize(l.Profile, plans) {
		if !done[i] {
			if err := entries[i].make(ctx, l, plans[i]); err != nil {
				return err
			}
		}
	}
	if text := left.String(); text != "" {
		l.Say("left out: %s", text)
	}
	return nil
}

// bySize is the order in which entries are made: what takes least comes first, so that there is a first picture soon,
// but for the paper profile, whose order is the paper's.
func bySize(p lab.Profile, plans [][]lab.Job) (order []int) {
	seconds := make([]float64, len(plans))
	for i, jobs := range plans {
		order, seconds[i] = append(order, i), lab.Seconds(jobs)
	}
	if p != lab.Paper {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(seconds[a], seconds[b]) })
	}
	return order
}

// make runs the jobs of the entry for which nothing is lacking, and writes it.
func (e Entry) make(ctx context.Context, l *lab.Lab, jobs []lab.Job) error {
	start := time.Now()
	open, err := l.Open(jobs)
	if err != nil {
		return err
	}
	ready, left := lab.Ready(open)
	if len(left) == 0 || len(ready) > 0 {
		e.announce(l)
	}
	for _, j := range jobs {
		rest, err := j.Missing(l)
		if err == nil && rest.Lacks == "" {
			err = j.Run(ctx, l)
		}
		if err != nil {
			return err
		}
	}
	if len(left) > 0 {
		kept := *l
		kept.KeptOnly = true
		_, err := e.makeKept(&kept, jobs)
		return err
	}
	if err := e.report(l); err != nil {
		return err
	}
	e.finish(l, start)
	return nil
}

func (e Entry) announce(l *lab.Lab) { l.Say("%s: %s (%s profile)", e.Name, e.About, l.Profile) }

func (e Entry) finish(l *lab.Lab, start time.Time) {
	l.Say("%s: done in %s", e.Name, time.Since(start).Round(time.Second))
}

func (e Entry) report(l *lab.Lab) error {
	if err := e.Report(l); err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	return nil
}

// makeKept writes the entry of the kept results, if they are enough, and says what is missing of it. done tells that
// nothing is.
func (e Entry) makeKept(l *lab.Lab, jobs []lab.Job) (done bool, err error) {
	start := time.Now()
	if e.Plan == nil && l.Profile == lab.Paper {
		e.announce(l)
		l.Say("%s: it is of no training, and the same under every profile: see %s", e.Name, e.File(lab.Quick))
		return true, nil
	}
	why, err := e.lacks(l, jobs)
	if err != nil || why != "" && !l.KeptOnly {
		return false, err
	}
	e.announce(l)
	if why != "" {
		l.Say("%s: %s", e.Name, why)
		return true, nil
	}
	kept := *l
	kept.KeptOnly = true
	if err := e.report(&kept); err != nil {
		return false, err
	}
	if l.KeptOnly {
		e.finish(l, start)
		return true, nil
	}
	open, err := l.Open(jobs)
	if err != nil {
		return false, err
	}
	if len(open) == 0 {
		e.finish(l, start)
		return true, nil
	}
	runs, err := lab.Runs(jobs)
	if err != nil {
		return false, err
	}
	one := map[Kind]string{Figure: "picture", Table: "table"}[e.Kind]
	ready, _ := lab.Ready(open)
	if len(ready) == 0 {
		l.Say("%s: this is a %s of what is kept; %d of %d runs cannot be trained here", e.Name, one, len(open),
			len(runs))
		return true, nil
	}
	l.Say("%s: this is a %s of what is kept so far; the missing runs (%d of %d) are trained now, in about %s",
		e.Name, one, len(ready), len(runs), lab.About(lab.Seconds(ready)))
	return false, nil
}

// lacks says why the kept results are not enough to write the entry, which takes one seed of each job, or of any job if
// it is Partial; "" if they are.
func (e Entry) lacks(l *lab.Lab, jobs []lab.Job) (why string, err error) {
	some, command := len(jobs) == 0, e.CommandOf(l.Profile)
	for _, j := range jobs {
		rest, err := j.Missing(l)
		if err != nil {
			return "", err
		}
		if len(rest.Seeds) < len(j.Seeds) {
			some = true
		} else if !e.Partial {
			return fmt.Sprintf("no kept result of %s yet, so it is not drawn; `%s` makes it", j.Label, command), nil
		}
	}
	if !some {
		return fmt.Sprintf("no kept result yet, so it is not drawn; `%s` makes it", command), nil
	}
	return "", nil
}
