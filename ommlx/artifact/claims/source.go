package claims

import (
	"cmp"
	"encoding/json"
	"fmt"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Source is a figure or a table, made before, that a claim rests on.
type Source struct {
	Claim    string
	Entry    report.Entry
	Protocol Protocol // "" for all verdicts on the claim
	// measure reads the JSON of the entry and fills in what it says of the claim.
	measure func(text []byte, e *Evidence) error
}

// From rests a claim on an entry whose JSON is a T. measure records what it says; it calls [Evidence.AtScale] with false if the runs are of a
// smaller scale than the paper's.
func From[T any](claim string, entry report.Entry, measure func(T, *Evidence) error) Source {
	return Source{Claim: claim, Entry: entry, measure: func(text []byte, e *Evidence) error {
		data, err := report.Decode[T](text)
		if err != nil {
			return err
		}
		return measure(data, e)
	}}
}

// Under returns the source as evidence for the verdict by one protocol only.
func (s Source) Under(p Protocol) Source {
	s.Protocol = p
	return s
}

// evidence measures the entry at the paper's scale, or the quick one where there is none of that. Where neither is
// there, or it is of other trainings than those that its profile plans on this machine, the check was skipped.
func (s Source) evidence(root string) (Evidence, error) {
	e := Evidence{Protocol: s.Protocol, Command: s.Entry.Command(), Outcome: Done,
		Record: Record{Claim: s.Claim}}
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
		return e, err
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

// Measured records what the JSON of the entry says, and returns the trainings behind it. A file that lacks what is
// measured, for example after an edit by hand, is an error that names it.
func (s Source) Measured(text []byte, e *Evidence) (trained []report.Trained, err error) {
	file := cmp.Or(e.Source, s.Entry.File(run.Quick))
	var origin struct {
		Provenance report.Origin `json:"provenance"`
	}
	if err := json.Unmarshal(text, &origin); err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w); make it again", file, err)
	}
	e.Seconds = origin.Provenance.Seconds()
	if err := s.measure(text, e); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return origin.Provenance.Trained, nil
}
