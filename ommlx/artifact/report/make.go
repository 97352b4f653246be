package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/backend"
)

// Make runs the jobs that the entries need, with the time left for all of them, and writes every entry as soon as its
// own jobs are done. A result that is kept, or that an entry before it needed, is not computed again. With
// [lab.Lab.KeptOnly] it runs nothing and writes what the kept results are enough for.
//
// Under the paper profile, whose trainings take hours, it first writes what the kept results are enough for, and says
// what is missing there; an entry that lacks nothing is then done. Under the others, which take minutes, a part does
// not replace a whole figure of before.
//
// Where data of the paper are not on this machine, nothing is made at the paper's scale of what stands in for them: it
// would replace what is there. Under the other profiles it is said.
func Make(ctx context.Context, l *lab.Lab, entries []Entry) error {
	entries, err := withData(l, entries)
	if err != nil {
		return err
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
	if err := l.Expect(slices.Concat(plans...)); err != nil {
		return err
	}
	for i, e := range entries {
		if done[i] {
			continue
		}
		start := time.Now()
		e.announce(l)
		for _, j := range plans[i] {
			if err := j.Run(ctx, l); err != nil {
				return err
			}
		}
		if err := e.report(l); err != nil {
			return err
		}
		e.finish(l, start)
	}
	return nil
}

// withData returns the entries that can be made of the data on this machine. Of the others it says why not, and it is
// an error where they were to be trained.
func withData(l *lab.Lab, entries []Entry) (ready []Entry, err error) {
	said := ""
	for _, e := range entries {
		text := ""
		if e.StandIns != nil {
			text = e.StandIns()
		}
		switch {
		case text == "" || l.Profile != lab.Paper:
			ready = append(ready, e)
			if text != "" && text != said {
				l.Say("%s", text)
				said = text
			}
		case l.KeptOnly:
			l.Say("%s: %s; nothing at the paper's scale is drawn of stand-ins", e.Name, text)
		default:
			return nil, fmt.Errorf("%s: %s; nothing at the paper's scale is made of stand-ins", e.Name, text)
		}
	}
	return ready, nil
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
	pace, err := l.Pace(jobs, backend.Cores())
	if err != nil {
		return false, err
	}
	one := map[Kind]string{Figure: "picture", Table: "table"}[e.Kind]
	l.Say("%s: this is a %s of what is kept so far; the missing runs (%d of %d) are trained now, in about %s",
		e.Name, one, len(open), len(runs), lab.About(pace.Seconds(open...)))
	return false, nil
}

// lacks says why the kept results are not enough to write the entry, which takes one seed of each job, or of any job if
// it is Partial; "" if they are.
func (e Entry) lacks(l *lab.Lab, jobs []lab.Job) (why string, err error) {
	some, command := len(jobs) == 0, e.command(l.Profile)
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
