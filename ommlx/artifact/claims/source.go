package claims

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Source is a figure or a table that a claim rests on.
type Source struct {
	Claim    string
	Exhibit  report.Exhibit
	Protocol Protocol // "" for every verdict on the claim
	measure  func(text []byte, e *Evidence) error
}

// From returns the source that rests a claim on an exhibit whose JSON is a T. measure records the measurements.
// Evidence from a smaller profile is [Small]; measure calls [Evidence.AtScale] with false if something has not been
// run.
func From[T any](claim string, exhibit report.Exhibit, measure func(T, *Evidence) error) Source {
	return Source{Claim: claim, Exhibit: exhibit, measure: func(text []byte, e *Evidence) error {
		data, err := report.Decode[T](text)
		if err != nil {
			return err
		}
		return measure(data, e)
	}}
}

// evidence measures the exhibit at the paper's scale, or else the quick one. It is [Skipped] if both are missing, and
// [Refused] if a training was made with uncommitted changes.
func (s Source) evidence(root string) (Evidence, error) {
	profile, text, err := s.Exhibit.Read(root)
	shown := cmp.Or(profile, run.Paper)
	e := Evidence{Protocol: s.Protocol, Source: s.Exhibit.File(shown), Command: s.Exhibit.CommandOf(shown),
		Outcome: Done, Record: Record{Claim: s.Claim}}
	if err != nil {
		return e, err
	}
	if profile == "" {
		e.Outcome, e.Reason = Skipped, e.Source+" has not been made"
		return e, nil
	}
	made, err := s.Measured(text, &e)
	if err != nil {
		return e, fmt.Errorf("%s: %w", e.Source, err)
	}
	e.Results = days(made)
	if why := made.Uncommitted(); why != "" {
		e.Outcome, e.Reason = Refused, why
	}
	return e, nil
}

// Measured records the measurements in the JSON of the exhibit, and returns its origin. Missing values are an error.
func (s Source) Measured(text []byte, e *Evidence) (report.Origin, error) {
	head, err := report.Decode[struct {
		Provenance report.Origin `json:"provenance"`
	}](text)
	if err != nil {
		return report.Origin{}, err
	}
	e.Seconds = head.Provenance.Seconds()
	e.AtScale(head.Provenance.Drawn.Profile == run.Paper)
	return head.Provenance, s.measure(text, e)
}

// days formats the number of trainings and the days on which they ended.
func days(o report.Origin) string {
	var days []string
	for _, t := range o.Trained {
		days = append(days, t.Finished.Format(time.DateOnly))
	}
	if days == nil {
		return ""
	}
	slices.Sort(days)
	text := say.Count(len(days), "training") + ", " + days[0]
	if last := days[len(days)-1]; last != days[0] {
		text += " to " + last
	}
	return text
}
