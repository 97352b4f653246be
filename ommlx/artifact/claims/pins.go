package claims

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// shrunk lists what the evidence of a claim has lost: a test or a result, a measurement, or a tolerance as narrow.
func shrunk(old, r Row) (lost []string) {
	add := func(format string, args ...any) {
		lost = append(lost, fmt.Sprintf("claim %s: ", r.name())+fmt.Sprintf(format, args...))
	}
	for _, e := range old.Evidence {
		i := slices.IndexFunc(r.Evidence, func(n Evidence) bool {
			return n.Source == e.Source && n.Protocol == e.Protocol
		})
		if i < 0 {
			add("no evidence from %s, which it had", e.Source)
			continue
		}
		for _, m := range e.Measured {
			at := slices.IndexFunc(r.Evidence[i].Measured, func(n Measurement) bool {
				return n.What == m.What && n.Printed == m.Printed
			})
			if at < 0 {
				add("%s does not measure %q, which it did", e.Source, m.What)
			} else if now := r.Evidence[i].Measured[at]; now.Tolerance > m.Tolerance {
				add("tolerance of %q is %s, was %s", m.What, short(now.Tolerance), short(m.Tolerance))
			}
		}
	}
	return lost
}

// unplanned says which training a figure or table rests on that it does not plan under a profile; "" for none. It is
// one of a smoke run, of a stand-in for data that have come since, or of an older plan.
func unplanned(e report.Entry, p run.Profile, trained []report.Trained) (other string, err error) {
	jobs, err := e.Jobs(p)
	if err != nil || e.Plan == nil {
		return "", err
	}
	keys := map[string]bool{}
	for _, j := range jobs {
		for _, part := range append(j.Parts(), j) {
			keys[part.Key] = true
		}
	}
	for _, t := range trained {
		if !keys[t.Key] {
			return fmt.Sprintf("rests on %s, seeds %v, which is not among the trainings of the %s profile here; "+
				"`make %s ONLY=%s` makes it again", t.Label, t.Seeds, p, e.Kind, e.Short), nil
		}
	}
	return "", nil
}

// refuse refuses evidence of which a training was made with changes that were not committed, and names the first.
func refuse(e *Evidence, trained []report.Trained) {
	clean := func(t report.Trained) bool { return !run.Uncommitted(t.Commit) }
	dirty := slices.DeleteFunc(slices.Clone(trained), clean)
	if len(dirty) > 0 {
		e.Outcome = Refused
		e.Reason = fmt.Sprintf("%d of %d trainings were made with changes that were not committed (the first: %s, "+
			"seeds %v, commit %s) and must be made again", len(dirty), len(trained), dirty[0].Label, dirty[0].Seeds,
			dirty[0].Commit)
	}
}

// origin says from which commits and days trainings are.
func origin(trained []report.Trained) string {
	if len(trained) == 0 {
		return ""
	}
	days, count := []string{}, map[string]int{}
	for _, t := range trained {
		days = append(days, t.Finished.Format(time.DateOnly))
		count[t.Commit]++
	}
	commits := slices.Sorted(maps.Keys(count))
	slices.SortStableFunc(commits, func(a, b string) int { return count[b] - count[a] })
	of := fmt.Sprintf("%d commits, most of %s", len(commits), commits[0])
	if len(commits) <= 2 {
		of = strings.Join(commits, " and ")
	}
	first, last := slices.Min(days), slices.Max(days)
	if first != last {
		last = first + " to " + last
	}
	return fmt.Sprintf("%s, %s, %s", say.Count(len(trained), "training"), last, of)
}
