package claims

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Source is a figure or a table that a claim rests on.
type Source struct {
	Claim    string
	Entry    report.Entry
	Protocol Protocol // "" for every verdict on the claim
	measure  func(text []byte, e *Evidence) error
}

// From returns the source that rests a claim on an entry whose JSON is a T. measure records the measurements. Evidence
// from a smaller profile is [Small]; measure calls [Evidence.AtScale] with false if something has not been run.
func From[T any](claim string, entry report.Entry, measure func(T, *Evidence) error) Source {
	return Source{Claim: claim, Entry: entry, measure: func(text []byte, e *Evidence) error {
		data, err := report.Decode[T](text)
		if err != nil {
			return err
		}
		return measure(data, e)
	}}
}

// Under restricts the source to the verdict under one protocol.
func (s Source) Under(p Protocol) Source {
	s.Protocol = p
	return s
}

// evidence measures the entry at the paper's scale, or else the quick one. It skips the evidence if both are missing,
// or if the entry shows trainings that its profile does not plan.
func (s Source) evidence(root string) (Evidence, error) {
	e := Evidence{Protocol: s.Protocol, Command: s.Entry.Command(), Outcome: Done, Record: Record{Claim: s.Claim}}
	profile, text, err := s.Entry.Read(root)
	if e.Source = s.Entry.File(profile); err != nil {
		return e, err
	}
	if profile == "" {
		e.Outcome, e.Reason = Skipped, e.Source+" has not been made"
		return e, nil
	}
	trained, err := s.Measured(text, &e)
	if err != nil {
		return e, fmt.Errorf("%s: %w", e.Source, err)
	}
	other, err := unplanned(s.Entry, profile, trained)
	if err != nil {
		return e, err
	}
	if other != "" {
		e.Outcome, e.Reason, e.Record = Skipped, e.Source+" "+other, Record{Claim: s.Claim}
		return e, nil
	}
	e.Results = origin(trained)
	refuse(&e, trained)
	return e, nil
}

// Measured records the measurements in the JSON of the entry, and returns its trainings. Missing values are an error.
func (s Source) Measured(text []byte, e *Evidence) ([]report.Trained, error) {
	var head struct {
		Provenance report.Origin `json:"provenance"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w; make it again", err)
	}
	e.Seconds = head.Provenance.Seconds()
	e.AtScale(head.Provenance.Drawn.Profile == run.Paper)
	return head.Provenance.Trained, s.measure(text, e)
}

// unplanned describes a training that an entry shows but does not plan under a profile, such as one from an older plan.
// It returns "" if there is none.
func unplanned(e report.Entry, p run.Profile, trained []report.Trained) (other string, err error) {
	jobs, err := e.Jobs(p)
	if err != nil || !e.Trains() {
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
			return fmt.Sprintf("shows %s, seeds %v, which the %s profile does not plan; `%s` makes it again", t.Label,
				t.Seeds, p, e.CommandOf(p)), nil
		}
	}
	return "", nil
}

// refuse marks evidence from trainings with uncommitted changes as [Refused].
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

// origin lists the commits and days of trainings.
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
	names := strings.Join(commits, " and ")
	if len(commits) > 2 {
		names = fmt.Sprintf("%d commits, most of %s", len(commits), commits[0])
	}
	first, last := slices.Min(days), slices.Max(days)
	if first != last {
		last = first + " to " + last
	}
	return fmt.Sprintf("%s, %s, %s", say.Count(len(trained), "training"), last, names)
}
